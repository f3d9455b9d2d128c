import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** How long npm may take, in milliseconds: it may build a package. */
const timeoutMs = 15 * 60_000;
/** How much of its output is read, in bytes. */
const maxOutput = 1024 * 1024;
/** How many lines of its errors are shown: the first say what failed. */
const linesShown = 2;
/** An error of npm, whose words may begin with its code. */
const errorLine =
  /^npm (?:error|ERR!) +(?:(?!code |syscall |errno |path |dest |command |at |gyp )[a-z\d]+ +(?=[A-Z]))?(\S.*)$/gm;
/** Lines that repeat in fields what another one says in words, and where npm's log is. */
const details =
  /^(?:code|syscall|errno|path|dest|command)[ :]|^at |^\d{3}$|^[{}]|^gyp info|\bwarn\b|^A complete log of this run/;

/** Otherwise npm announces its own newer versions on the stream of its errors. */
const environment = { ...process.env, NO_UPDATE_NOTIFIER: '1', npm_config_update_notifier: 'false' };

const run = promisify(execFile);

/** The result of npm: its output, or why it failed. */
export type NpmResult = { readonly printed: string } | { readonly fault: string };

/** The npm of a prefix, or else the one on the PATH. */
function npmOf(prefix: string): string {
  const own = join(prefix, 'bin', 'npm');
  return existsSync(own) ? own : 'npm';
}

/** Installs a package into a prefix, as `npm install --global` does, with or without its optional packages. */
export function installInto(
  stage: string,
  spec: string,
  { prefix, isOptional }: { readonly prefix: string; readonly isOptional: boolean },
): Promise<NpmResult> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const optional = isOptional ? [] : ['--omit=optional'];
  return ask(npmOf(prefix), ['install', '--global', '--prefix', stage, ...optional, ...quiet, spec]);
}

/** The version of a package that a tag or a version of the registry names. */
export function publishedVersion(name: string, wanted: string, prefix: string): Promise<NpmResult> {
  return ask(npmOf(prefix), ['view', `${name}@${wanted}`, 'version', '--loglevel=error']);
}

async function ask(npm: string, args: readonly string[]): Promise<NpmResult> {
  try {
    const { stdout } = await run(npm, [...args], { timeout: timeoutMs, maxBuffer: maxOutput, env: environment });
    return { printed: stdout.trim() };
  } catch (error) {
    return { fault: faultText(error) };
  }
}

function faultText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT') return 'npm is not on the PATH';
  const printed = 'stderr' in error ? String(error.stderr) : '';
  const lines = [...printed.matchAll(errorLine)].map(([, words = '']) => words);
  const said = lines.filter((line) => !details.test(line));
  const errors = said.filter((line) => /\bERR!|Error: /.test(line));
  const shown = (errors.length > 0 ? errors : said).slice(0, linesShown);
  return shown.length === 0 ? error.message : shown.join('\n');
}
