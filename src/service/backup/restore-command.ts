import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { computerName } from '#world/computer-name.ts';
import { isThere } from '#world/file/private-file.ts';
import { runningFamilies } from '#world/tmux/terminals.ts';
import type { Manifest } from './manifest.ts';
import { passphraseIn } from './passphrase.ts';
import { restore } from './restore.ts';

const usage = 'Usage: muster restore FILE [--passphrase-file FILE]';

/**
 * Whether the arguments of `muster restore` name a backup, not agents, whose names contain neither dots nor slashes.
 */
export function namesBackup(args: readonly string[]): boolean {
  return args.some((word) => !word.startsWith('-') && /[./]/.test(word));
}

/**
 * `muster restore FILE`: restores a backup while nothing runs on this state folder. Returns the exit status.
 * @throws INVALID_ARGUMENT when the arguments are invalid, and the failures of a restore
 */
export async function runRestore(args: readonly string[], config: Config): Promise<number> {
  const { path, passphrase } = read(args);
  const now = new Date();
  const manifest = await restore(config, { path, passphrase }, now);
  process.stdout.write(`${reportOf(manifest, config, now)}${await windowsLeft(manifest, config)}`);
  return 0;
}

function read(args: readonly string[]): { readonly path: string; readonly passphrase: string | undefined } {
  const { values, positionals } = parsed(args);
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new Failure('INVALID_USAGE', usage);
  if (!isThere(path)) throw new Failure('INVALID_USAGE', `There is no file ${path}. ${usage}`);
  return { path, passphrase: passphraseIn(values['passphrase-file']) };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { 'passphrase-file': { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    throw new Failure('INVALID_USAGE', `${error instanceof Error ? error.message : String(error)}. ${usage}`);
  }
}

/**
 * Windows of the installation's agents that run where the backup was made, if that is another state folder of this
 * computer: from here they are not found, and restored agents would have two CLIs in one worktree.
 */
async function windowsLeft({ machine, home: from }: Manifest, { home }: Config): Promise<string> {
  if (machine !== computerName() || from === undefined || from === resolve(home)) return '';
  const families = await runningFamilies(join(from, 'run'));
  if (families.length === 0) return '';
  return (
    `The windows of ${families.length} agents, or of their children, still run in ${from}, where muster does not find them from ${home}. ` +
    `Archive these agents there before you restore any here: else two CLIs work in one worktree.\n`
  );
}

function reportOf({ takenAt, machine, files }: Manifest, { home, databaseUrl }: Config, now: Date): string {
  const where = databaseUrl === undefined ? home : `${home} and the database of MUSTER_DATABASE_URL`;
  const elsewhere = machine === computerName() ? '' : `It was taken on ${machine}: first stop muster there.\n`;
  return (
    `Restored ${files.length} files to ${where}, as of ${takenAt}.\n` +
    `Everything done from ${takenAt} to ${now.toISOString()} is lost, including mail and firings. Times at which schedules ` +
    'would have fired since then are skipped, and unfinished firings are cancelled, because they may have run.\n' +
    `${elsewhere}Start muster. \`muster restore --all\` resumes agents whose windows are gone; \`muster doctor\` ` +
    'lists windows that the backup does not have.\n'
  );
}
