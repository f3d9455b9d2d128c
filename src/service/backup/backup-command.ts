import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from '#contract/failure.ts';
import { byteText } from '#contract/host/load-reading.ts';
import { intervalMs, intervalRule } from '#contract/parse/interval.ts';
import type { Config } from '#contract/process-context.ts';
import { systemTimer, type Timer } from '#world/concurrency/timer.ts';
import { isThere } from '#world/file/private-file.ts';
import { type Backup, backUp, requireFolder } from './backup.ts';
import { passphraseIn } from './passphrase.ts';
import { removeOldBackups, repeatedName } from './repeated-backups.ts';

const usage =
  'Usage: muster backup FILE [--passphrase-file FILE], or muster backup --every 6h [--keep 14] DIR [--passphrase-file FILE]';
const defaultKeep = 14;

/** The arguments of a backup. */
interface BackupArguments {
  /** The file, or the folder of repeated backups. */
  readonly target: string;
  readonly passphrase: string | undefined;
  /** The time between the starts of two backups, in milliseconds; undefined for a single backup. */
  readonly everyMs: number | undefined;
  readonly keep: number;
}

/**
 * `muster backup FILE`: backs up the installation of this state folder, also while it runs. With `--every`, it repeats
 * that until it is stopped, and keeps the newest backups. Returns the exit status.
 * @throws INVALID_ARGUMENT when the arguments are invalid, and the failures of a backup
 */
export async function runBackup(args: readonly string[], config: Config, timer: Timer = systemTimer): Promise<number> {
  const asked = read(args);
  if (asked.everyMs === undefined) {
    process.stdout.write(reportOf(await backUp(config, { ...asked, path: asked.target }, new Date(timer.now()))));
    return 0;
  }
  if (isThere(asked.target)) requireFolder(asked.target);
  return repeat(config, asked, asked.everyMs, timer);
}

/** Repeats until a signal ends it. A failed backup is reported, and the next one is made at its time. */
async function repeat(config: Config, asked: BackupArguments, everyMs: number, timer: Timer): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  for (let at = timer.now(); !stop.signal.aborted; at += everyMs) {
    await timer.sleep(Math.max(0, at - timer.now()), stop.signal).catch(() => undefined);
    if (stop.signal.aborted) break;
    try {
      const now = new Date(timer.now());
      const made = await backUp(config, { ...asked, path: join(asked.target, repeatedName(now)) }, now);
      const removed = removeOldBackups(asked.target, asked.keep);
      process.stdout.write(
        `${made.manifest.takenAt}  ${basename(made.path)}  ${byteText(made.bytes)}${removedText(removed)}\n`,
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      process.stderr.write(`${error.message}\n`);
    }
  }
  return 0;
}

function removedText(removed: readonly string[]): string {
  return removed.length === 0 ? '' : `  removed ${removed.join(', ')}`;
}

function read(args: readonly string[]): BackupArguments {
  const { values, positionals } = parsed(args);
  const [target, ...more] = positionals;
  if (target === undefined || more.length > 0) throw new Failure('INVALID_USAGE', usage);
  if (target.trim() === '') throw new Failure('INVALID_USAGE', `The name of the backup is empty. ${usage}`);
  const { every, keep } = values;
  if (keep !== undefined && every === undefined)
    throw new Failure('INVALID_USAGE', `--keep needs --every. ${usage}`, { field: 'keep' });
  return {
    target: resolve(target),
    passphrase: passphraseIn(values['passphrase-file']),
    everyMs: every === undefined ? undefined : span(every),
    keep: keep === undefined ? defaultKeep : count(keep),
  };
}

function parsed(args: readonly string[]) {
  const options = {
    every: { type: 'string' },
    keep: { type: 'string' },
    'passphrase-file': { type: 'string' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new Failure('INVALID_USAGE', `${error instanceof Error ? error.message : String(error)}. ${usage}`);
  }
}

function span(text: string): number {
  const ms = intervalMs(text);
  if (ms !== undefined) return ms;
  throw new Failure('INVALID_USAGE', `--every is ${JSON.stringify(text)}: give ${intervalRule}`, { field: 'every' });
}

function count(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new Failure('INVALID_USAGE', `--keep is ${JSON.stringify(text)}: give a number of backups, 1 to 99999`, {
    field: 'keep',
  });
}

function reportOf({ path, bytes, passphrase, manifest: { takenAt, files } }: Backup): string {
  const secrets =
    passphrase === undefined
      ? 'It contains the operator’s token and keys unencrypted: protect it like a password, or encrypt it (--passphrase-file).'
      : 'It is encrypted: keep the passphrase elsewhere, because the backup cannot be restored without it.';
  return (
    `Backed up to ${path}: ${byteText(bytes)}, ${files.length} files, as of ${takenAt}, and verified by reading it back.\n` +
    `${secrets}\n`
  );
}
