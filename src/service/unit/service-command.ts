import { parseArgs } from 'node:util';
import { runInTerminal } from '#cli/client/run-in-terminal.ts';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { readJoined, whyEnded } from '#service/join/joined-state.ts';
import { prepareStateFolder } from '#service/state-folder.ts';
import { ownInstallKind } from '#service/upgrade/install-kind.ts';
import { ownFolder } from '#world/process/own-programs.ts';
import {
  hasService,
  installItself,
  installService,
  noService,
  readService,
  uninstallService,
} from './install-service.ts';
import { ownDefinition, serviceName } from './own-definition.ts';
import { ownServiceManager, requireServiceManager } from './service-manager.ts';

const usage = 'Usage: muster service install|uninstall|status [-o json]|logs [--follow] [--lines 100]';
const defaultLines = 100;

/** What a person asks about the service of this state folder, by its word. Each returns the exit status. */
const acts: Readonly<Record<string, (config: Config, name: string, args: readonly string[]) => Promise<number>>> = {
  install,
  uninstall,
  status,
  logs,
};

/**
 * `muster service`: has the system's service manager run muster for this user, and shows how that goes. Returns the exit status.
 * @throws INVALID_USAGE when the arguments are wrong, and as the functions of `install-service.ts`
 */
export async function runService([word = '', ...args]: readonly string[], config: Config): Promise<number> {
  const act = Object.hasOwn(acts, word) ? acts[word] : undefined;
  if (act === undefined) throw new Failure('INVALID_USAGE', usage);
  return act(config, serviceName(config.home, readJoined(config.home), process.env), args);
}

async function install(config: Config, name: string, args: readonly string[]): Promise<number> {
  read(args, {});
  await requireServiceManager(installItself);
  const ended = whyEnded(config.home);
  if (ended !== undefined) throw ended;
  if (ownInstallKind(ownFolder).kind === 'npx') {
    throw new Failure(
      'SERVICE_NOT_INSTALLED',
      'The service was not installed: npx may remove its copy of muster at any time. Install muster first, with ' +
        '`npm install --global @muster-fleet/muster`.',
    );
  }
  const folder = prepareStateFolder(config.home);
  if (!hasService(name, config.home)) {
    // It loads SQLite, which the other subcommands do not need.
    const { takeOwnerLock } = await import('#service/owner-lock.ts');
    takeOwnerLock(folder, 'start').release();
  }
  const { text } = await installService(ownDefinition(config, readJoined(config.home), process.env), config.home);
  process.stdout.write(text);
  return 0;
}

async function uninstall(config: Config, name: string, args: readonly string[]): Promise<number> {
  read(args, {});
  const file = await uninstallService(name, config.home);
  process.stdout.write(
    `The service ${name} is uninstalled: it has ended, and ${file} is removed. The windows of agents stay open; \`muster start\` finds them.\n`,
  );
  return 0;
}

/** Prints whether the service is installed and runs; the status is 0 if it runs, and 1 otherwise. */
async function status({ home }: Config, name: string, args: readonly string[]): Promise<number> {
  const { output } = read(args, { output: { type: 'string', short: 'o' } });
  const { file, state, lastWord } = await readService(name);
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

async function logs({ home }: Config, name: string, args: readonly string[]): Promise<number> {
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
