import { exitCodeOf } from '#cli/client/exit-code.ts';
import { endWithReader } from '#cli/client/io.ts';
import { runCli } from '#cli/main.ts';
import type { BusUser } from '#contract/access/bus-member.ts';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import type { Run } from '#service/process.ts';
import type { UnhandledEvent } from '#world/unhandled-errors.ts';

/**
 * The commands that are this machine's own; each gives its exit status. Modules load only when their command is given.
 */
const commands: Readonly<Record<string, (args: readonly string[]) => Promise<number | undefined>>> = {
  start: async () => {
    const { runStart } = await import('#service/start-command.ts');
    return runStart(await ownConfig());
  },
  setup: async () => {
    const { runSetup } = await import('#service/setup/setup-command.ts');
    return runSetup(await ownConfig());
  },
  doctor: async (args) => {
    const { runDoctor } = await import('#service/doctor-command.ts');
    return runDoctor(args, await ownConfig());
  },
  probe: async (args) => {
    const { runProbe } = await import('#service/probe/probe-command.ts');
    return runProbe(args, await ownConfig());
  },
  join: async (args) => {
    const config = await ownConfig();
    if (args.includes('--service')) {
      const { joinAsService } = await import('#service/join/join-service.ts');
      await joinAsService(
        args.filter((word) => word !== '--service'),
        config,
      );
      return 0;
    }
    const { runJoin } = await import('#service/join/join-command.ts');
    const { runStart } = await import('#service/start-command.ts');
    await runJoin(args, config);
    return runStart(config);
  },
  service: async (args) => {
    const { runService } = await import('#service/unit/service-command.ts');
    return runService(args, process.env);
  },
  upgrade: async (args) => {
    const { runUpgrade } = await import('#service/upgrade/upgrade-command.ts');
    return runUpgrade(args, await ownConfig());
  },
  'migrate-database': async (args) => {
    const { runMigrateDatabase } = await import('#service/migrate-database.ts');
    return runMigrateDatabase(args, await ownConfig());
  },
  'bus-keys': async (args) => {
    const { runBusKeys } = await import('#service/bus/bus-keys-command.ts');
    return runBusKeys(args, await ownConfig(), Date.now());
  },
  backup: async (args) => {
    const { runBackup } = await import('#service/backup/backup-command.ts');
    return runBackup(args, await ownConfig());
  },
  restore: async (args) => {
    const { namesBackup, runRestore } = await import('#service/backup/restore-command.ts');
    return namesBackup(args) ? runRestore(args, await ownConfig()) : runCommandLine(['restore', ...args]);
  },
  registry: async () => {
    const { runRegistry } = await import('#actors/registry/main.ts');
    return runMember('registry', runRegistry);
  },
  host: async () => {
    const { runHost } = await import('#actors/host/main.ts');
    return runMember('host', runHost);
  },
  gateway: async () => {
    const { runGateway } = await import('#gateway/main.ts');
    return runMember('gateway', runGateway);
  },
};

/** Those that read what follows their name. */
const takesArguments = [
  'doctor',
  'probe',
  'upgrade',
  'migrate-database',
  'bus-keys',
  'backup',
  'restore',
  'join',
  'service',
];

async function ownConfig(): Promise<Config> {
  const { readConfig } = await import('#service/config.ts');
  return readConfig(process.env);
}

/** Starts a member; it runs on after this returns, and ends the process itself. */
async function runMember(name: BusUser, run: Run): Promise<undefined> {
  const { runProcess } = await import('#service/process.ts');
  await runProcess(name, await ownConfig(), run);
}

/** Whether the command changes a host, such as `muster host cordon NAME`. `muster host` alone runs one. */
function isAboutHosts([name, subcommand = '-']: readonly string[]): boolean {
  return name === 'host' && !subcommand.startsWith('-');
}

async function main(argv: readonly string[]): Promise<number | undefined> {
  const [name = '', ...args] = argv;
  const asksForHelp = args.some((word) => word === '-h' || word === '--help');
  const isOwn = Object.hasOwn(commands, name) && !asksForHelp && !isAboutHosts(argv);
  const command = isOwn ? commands[name] : undefined;
  if (command !== undefined) {
    if (!takesArguments.includes(name) && args.length > 0) throw tooMuch(name, args);
    if (isCommand) for (const output of [process.stdout, process.stderr]) endWithReader(output);
    return command(args);
  }
  return runCommandLine(argv);
}

async function runCommandLine(argv: readonly string[]): Promise<number> {
  return runCli(argv, async (folder) => (await import('#service/local.ts')).openLocal(folder));
}

function tooMuch(name: string, args: readonly string[]): Failure {
  const given = JSON.stringify(args.join(' '));
  const message = `muster ${name} takes no arguments, and was given ${given}: its settings are environment variables${name === 'start' ? '. muster new PROMPT launches an agent' : ''}`;
  return new Failure('INVALID_USAGE', message);
}

/**
 * An unhandled error in a command: its request may not be done, so it ends with 1, except for one
 * that carries the messages of others. It is noted where muster keeps its logs; processes that run long note their own
 * (`noteUnhandled`).
 */
async function endUnhandled(error: unknown, event: UnhandledEvent): Promise<void> {
  const { noteInCommand } = await import('#service/command-errors.ts');
  noteInCommand(error, event);
  if (process.argv[2] !== 'mcp' || event === 'uncaughtException') process.exit(1);
}

const isCommand =
  !['start', 'join', 'registry', 'host', 'gateway'].includes(process.argv[2] ?? '') ||
  isAboutHosts(process.argv.slice(2));
if (isCommand) {
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(event, (error: unknown) => void endUnhandled(error, event));
  }
}

/** Runs what the words of the process name. The bundle's modules cannot wait for anything while they load. */
async function run(): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    // A service notes what nobody handles, and goes on: if it has not begun, nothing else sets its exit code.
    process.exitCode = 1;
    if (!(error instanceof Failure)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = exitCodeOf(error.code);
  }
}

void run();
