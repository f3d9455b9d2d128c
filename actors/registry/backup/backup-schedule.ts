import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { Peers } from '#actors/registry/peer/peers.ts';
import { Poller } from '#actors/worker/poller.ts';
import type { Service } from '#actors/worker/service.ts';
import type { BackupOutcome, ScheduledBackups } from '#contract/backup/scheduled-backups.ts';
import type { RegistryHolder } from '#contract/wire/registry-lease.ts';
import type { Tables } from '#store/tables.ts';
import { type BackupRecord, putBackupRecord, readBackupRecord } from './backup-record.ts';

/** How often to check whether a backup is due, in milliseconds. */
const every = 2_000;
/** The longest pause after a failed backup, in milliseconds. */
const maxRetryMs = 600_000;

/** What scheduled backups need. */
export interface BackupScope extends Pick<KernelScope, 'store' | 'clock' | 'timer' | 'log' | 'work'> {
  readonly holder: RegistryHolder;
  readonly peers: Pick<Peers, 'leads'>;
  /** Undefined if none are scheduled. */
  readonly backups?: ScheduledBackups | undefined;
}

/**
 * Makes the scheduled backups while this registry leads. The database records the last one, whichever registry made it.
 */
export function scheduleBackups(scope: BackupScope): Service {
  const { backups, store, clock, peers } = scope;
  if (backups === undefined) return { stop: async () => {} };
  const pass = async (signal: AbortSignal): Promise<void> => {
    if (!peers.leads) return;
    const now = clock.now();
    if (!isDue(await store.read(readBackupRecord), now, backups.everyMs)) return;
    const outcome = await backups.make(new Date(now), signal);
    if (!signal.aborted) await store.write((tables) => note(scope, tables, { outcome, now }));
  };
  return new Poller({ name: 'backups', every, pass }, scope).start();
}

/** Whether a backup is due. A time in the future was recorded before the clock was set back, and is ignored. */
function isDue({ last, failed }: BackupRecord, now: number, everyMs: number): boolean {
  const isPast = (at: string | undefined, forMs: number): boolean =>
    at === undefined || now >= Date.parse(at) + forMs || now < Date.parse(at);
  return isPast(last?.takenAt, everyMs) && isPast(failed?.at, Math.min(everyMs, maxRetryMs));
}

/** Records an attempt. Only the first of several failures in a row publishes a fact. */
async function note(
  { holder, log }: BackupScope,
  tables: Tables,
  { outcome, now }: { readonly outcome: BackupOutcome; readonly now: number },
): Promise<void> {
  const { installation: subjectId, machine } = holder;
  const { facts } = tables;
  const { last, failed } = await readBackupRecord(tables);
  const at = new Date(now).toISOString();
  if ('why' in outcome) {
    const { why } = outcome;
    log.error({ why }, 'the scheduled backup could not be made');
    await putBackupRecord(tables, { last, failed: { at, why, machine } });
    if (failed !== undefined) return;
    const detail = { reason: why, machine, lastTakenAt: last?.takenAt };
    await facts.append([{ kind: 'installation.backup-failed', subjectId, detail }]);
    return;
  }
  const made = { takenAt: at, ...outcome, machine };
  await putBackupRecord(tables, { last: made });
  await facts.append([{ kind: 'installation.backed-up', subjectId, detail: made }]);
}
