import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { readPrivateFile, writePrivateFile } from '#world/file/private-file.ts';

/**
 * How far an upgrade is. `prepared`: the new version is beside the old one, and nothing has changed. `switching`: everything is
 * stopped, and the folders are exchanged. `switched`: the new version starts. `returning`: the previous one is put back.
 * `upgraded` and `returned` are the ends.
 */
const phases = ['prepared', 'switching', 'switched', 'returning', 'upgraded', 'returned'] as const;

/** The record of the last upgrade of a state folder. It outlives the processes that upgrade. */
const UpgradeRecord = z.object({
  phase: z.enum(phases),
  /** The versions of muster. */
  from: z.string(),
  to: z.string(),
  /** When it began: RFC 3339, UTC. */
  startedAt: z.iso.datetime(),
  /** The folder of the program that is replaced. */
  folder: z.string(),
  /** The prefix of the npm that installed it. */
  prefix: z.string(),
  /** The backup that was made first; unset on a machine that has joined another installation. */
  backup: z.string().optional(),
  /** Whether the previous version cannot work with the tables of the new one, so that a return puts the database back. */
  changesTables: z.boolean(),
  /** Why the new version was given up. */
  why: z.string().optional(),
});
export type UpgradeRecord = z.infer<typeof UpgradeRecord>;

/** The folder of a state folder for upgrades: the record, and backups. */
export function upgradesIn(home: string): string {
  return join(home, 'upgrades');
}

/** The copy of the database as of the moment when everything had stopped. */
export function stoppedDatabaseIn(home: string): string {
  return join(upgradesIn(home), 'stopped.db');
}

function recordFile(home: string): string {
  return join(upgradesIn(home), 'last.json');
}

/** The record of the last upgrade; undefined if there was none. @throws FILE_NOT_USABLE when it cannot be read */
export function readUpgrade(home: string): UpgradeRecord | undefined {
  const text = readPrivateFile(recordFile(home));
  if (text === undefined) return undefined;
  try {
    return UpgradeRecord.parse(JSON.parse(text));
  } catch (error) {
    throw new Failure(
      'FILE_NOT_USABLE',
      `${recordFile(home)} does not say how far an upgrade is: remove it if \`muster --version\` is the version that you want`,
      { cause: error },
    );
  }
}

export function writeUpgrade(home: string, record: UpgradeRecord): void {
  writePrivateFile(recordFile(home), `${JSON.stringify(record, undefined, 2)}\n`);
}

/** The upgrade that has begun and has no end yet; undefined if there is none. @throws FILE_NOT_USABLE as `readUpgrade` */
export function unfinishedUpgrade(home: string): UpgradeRecord | undefined {
  const record = readUpgrade(home);
  return record === undefined || record.phase === 'upgraded' || record.phase === 'returned' ? undefined : record;
}
