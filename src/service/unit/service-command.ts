import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { stateFolder } from '#cli/client/connection.ts';
import { runInTerminal } from '#cli/client/run-in-terminal.ts';
import { Failure } from '#contract/failure.ts';
import { joinedFilesIn } from '#service/join/joined-files.ts';
import { hasService, noService, readService, uninstallService } from './install-service.ts';
import { ownServiceManager, requireServiceManager } from './service-manager.ts';
import { serviceName } from './service-name.ts';

const usage = 'Usage: muster service install|uninstall|status [-o json]|logs [--follow] [--lines 100]';
const defaultLines = 100;

/** What a person asks about the service of a state folder, by its word. Each returns the exit status. */
const acts: Readonly<Record<string, (home: string, name: string, args: readonly string[]) => Promise<number>>> = {
  install,
  uninstall,
  status,
  logs,
};

/**
 * `muster service`: has the system's service manager run muster for this user, and shows how that goes. Only an installation reads
 * all settings, so that the others answer at once, and also where a setting is wrong. Returns the exit status.
 * @throws INVALID_USAGE when the arguments are wrong, INVALID_SETTING when the state folder is no absolute path, and as the
 *   functions of `install-service.ts`
 */
export async function runService([word = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const act = Object.hasOwn(acts, word) ? acts[word] : undefined;
  if (act === undefined) throw new Failure('INVALID_USAGE', usage);
  const home = await ownHome(env);
  return act(home, serviceName(home, await joinedIn(home), env), args);
}

/** The state folder, as `muster start` reads it. @throws INVALID_SETTING when it is no absolute path */
async function ownHome(env: NodeJS.ProcessEnv): Promise<string> {
  const home = stateFolder({ env, cwd: '/' });
  const given = env['MUSTER_HOME'] ?? home;
  if (isAbsolute(given) || given.startsWith('~/')) return resolve(home);
  const { readConfig } = await import('#service/config.ts');
  return readConfig(env).home;
}

async function joinedIn(home: string) {
  if (!existsSync(joinedFilesIn(home).joined)) return undefined;
  const { readJoined } = await import('#service/join/joined-state.ts');
  return readJoined(home);
}

async function install(_home: string, _name: string, args: readonly string[]): Promise<number> {
  read(args, {});
  const { installOwnService } = await import('./install-own-service.ts');
  process.stdout.write(await installOwnService());
  return 0;
}

async function uninstall(home: string, name: string, args: readonly string[]): Promise<number> {
  read(args, {});
  const file = await uninstallService(name, home);
  process.stdout.write(
    `The service ${name} is uninstalled: it has ended, and ${file} is removed. The windows of agents stay open; \`muster start\` finds them.\n`,
  );
  return 0;
}

/** Prints whether the service is installed and runs; the status is 0 if it runs, and 1 otherwise. */
async function status(home: string, name: string, args: readonly string[]): Promise<number> {
  const { output } = read(args, { output: { type: 'string', short: 'o' } });
  const { file, state, lastWord } = await readService(name, home);
  const isRunning = state?.isRunning ?? false;
  if (output === 'json') {
    process.stdout.write(
      `${JSON.stringify({ name, home, file, running: isRunning, state: state?.words, pid: state?.pid })}\n`,
    );
    return isRunning ? 0 : 1;
  }
  if (file === undefined) process.stdout.write(`${name} is not installed: \`muster service install\` does that.\n`);
  else {
    const { words = 'unknown', pid } = state ?? {};
    process.stdout.write(
      `${name}: ${words}${pid === undefined ? '' : `, process ${pid}`} (${file})\n${lastWord && `${lastWord}\n`}`,
    );
  }
  return isRunning ? 0 : 1;
}

async function logs(home: string, name: string, args: readonly string[]): Promise<number> {
  const { follow, lines } = read(args, {
    follow: { type: 'boolean', short: 'f' },
    lines: { type: 'string', short: 'n' },
  });
  const count = linesIn(lines);
  const file = ownServiceManager().fileOf(name);
  if (!hasService(name, home)) throw noService(name, file, home);
  const manager = await requireServiceManager(`show the log of its service ${name}, which is installed (${file})`);
  return runInTerminal(manager.logOf(name, count, follow === true), process.env);
}

function linesIn(text: string | boolean | undefined): number {
  if (text === undefined) return defaultLines;
  if (typeof text === 'string' && /^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new Failure('INVALID_USAGE', `--lines is ${JSON.stringify(text)}: give a number of lines, such as 100`, {
    field: 'lines',
  });
}

function read(
  args: readonly string[],
  options: Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly short?: string }>>,
): Readonly<Record<string, string | boolean | undefined>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch (error) {
    throw new Failure('INVALID_USAGE', `${error instanceof Error ? error.message : String(error)}. ${usage}`);
  }
}
