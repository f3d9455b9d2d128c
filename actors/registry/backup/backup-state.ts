import type { RegistryScope } from '#actors/registry/registry-scope.ts';
import type { ScheduledBackups } from '#contract/backup/scheduled-backups.ts';
import { type Check, well } from '#contract/host/check.ts';
import { byteText } from '#contract/host/load-reading.ts';
import { quoted } from '#contract/quoted.ts';
import type { RegistryReadiness } from '#contract/wire/figures.ts';
import type { Tables } from '#store/tables.ts';
import { type BackupRecord, readBackupRecord } from './backup-record.ts';

/** Minimum delay before a late backup counts as missing, in milliseconds. */
const minGraceMs = 600_000;

/** The inputs of the state of scheduled backups. */
interface BackupInputs {
  readonly record: BackupRecord;
  /** Undefined if this registry schedules none. */
  readonly backups: Pick<ScheduledBackups, 'everyMs'> | undefined;
  /** When this registry started: RFC 3339, UTC. */
  readonly since: string;
  readonly now: number;
}

/** What a registry needs to report on backups. */
type BackupStateScope = Pick<RegistryScope, 'backups' | 'holder' | 'clock'>;

/** Whether the scheduled backups are made; undefined if none are scheduled and none was ever made. */
export async function backupReadiness(
  scope: BackupStateScope,
  tables: Pick<Tables, 'settings'>,
): Promise<RegistryReadiness['backups']> {
  const known = await knownOf(scope, tables);
  const { last, failed } = known.record;
  if (known.backups === undefined && last === undefined && failed === undefined) return undefined;
  const why = whyMissing(known);
  return { ok: why === undefined, ...(last && { lastTakenAt: last.takenAt }), ...(why !== undefined && { why }) };
}

/** Checks that the scheduled backups are made, and shows the last one. */
export async function checkBackups(scope: BackupStateScope & Pick<RegistryScope, 'store'>): Promise<Check> {
  const name = 'backups';
  const known = await scope.store.read((tables) => knownOf(scope, tables));
  const { last } = known.record;
  const why = whyMissing(known);
  const lastText = last
    ? `the last one was made ${last.takenAt}: ${byteText(last.bytes)}, ${quoted(last.path)} on ${quoted(last.machine)}`
    : 'none was made yet';
  if (why !== undefined)
    return { name, outcome: 'warn', found: `${why}; ${lastText}`, mend: 'fix that: muster retries automatically' };
  if (known.backups !== undefined) return well(name, lastText);
  return well(
    name,
    last ? `${lastText}; this registry makes none` : 'none are scheduled (MUSTER_BACKUP_EVERY is not set)',
  );
}

async function knownOf(
  { backups, holder, clock }: BackupStateScope,
  tables: Pick<Tables, 'settings'>,
): Promise<BackupInputs> {
  return { record: await readBackupRecord(tables), backups, since: holder.since, now: clock.now() };
}

/** Why there is no current backup; undefined if there is one, or if none is scheduled. */
function whyMissing({ record: { last, failed }, backups, since, now }: BackupInputs): string | undefined {
  if (failed !== undefined) return `the backup of ${failed.at} on ${quoted(failed.machine)} failed: ${failed.why}`;
  if (backups === undefined) return undefined;
  const { everyMs } = backups;
  const due = last === undefined ? 0 : Date.parse(last.takenAt) + everyMs;
  if (now <= Math.max(due, Date.parse(since)) + Math.max(everyMs, minGraceMs)) return undefined;
  return 'the scheduled backup is overdue: the registry that leads may have other settings';
}
