import { exitCodeOf } from '#cli/exit-code.ts';
import { Failure } from '#contract/failure.ts';
import type { BusUser } from '#contract/process-context.ts';
import { readConfig } from '#service/config.ts';
import type { Run } from '#service/process.ts';

/** The commands that are this machine's own; each gives its exit status. Modules load only when their command is given. */
const commands: Readonly<Record<string, (args: readonly string[]) => Promise<number | undefined>>> = {
  start: async () => {
    const { runStart } = await import('#service/start-command.ts');
    return runStart(readConfig(process.env));
  },
  doctor: async (args) => {
    const { runDoctor } = await import('#service/doctor-command.ts');
    return runDoctor(args, readConfig(process.env));
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

/** Starts a member; it runs on after this returns, and ends the process itself. */
async function runMember(name: BusUser, run: Run): Promise<undefined> {
  const { runProcess } = await import('#service/process.ts');
  await runProcess(name, readConfig(process.env), run);
}

async function main(argv: readonly string[]): Promise<number | undefined> {
  const [name = '', ...args] = argv;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return command(args);
  const { runCli } = await import('#cli/main.ts');
  return runCli(argv);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = exitCodeOf(error.code);
}
