import { Failure } from '#contract/failure.ts';
import { readConfig } from '#service/config.ts';

/** What each long-running command runs. Modules are loaded only when their command is given. */
const commands: Readonly<Record<string, () => Promise<void>>> = {
  registry: async () => {
    const [{ runProcess }, { runRegistry }] = await Promise.all([
      import('#service/process.ts'),
      import('#actors/registry/main.ts'),
    ]);
    await runProcess('registry', readConfig(process.env), runRegistry);
  },
  host: async () => {
    const [{ runProcess }, { runHost }] = await Promise.all([
      import('#service/process.ts'),
      import('#actors/host/main.ts'),
    ]);
    await runProcess('host', readConfig(process.env), runHost);
  },
  gateway: async () => {
    const [{ runProcess }, { runGateway }] = await Promise.all([
      import('#service/process.ts'),
      import('#gateway/main.ts'),
    ]);
    await runProcess('gateway', readConfig(process.env), runGateway);
  },
};

async function main(argv: readonly string[]): Promise<void> {
  const command = commands[argv[0] ?? ''];
  if (command !== undefined) return command();
  const { runCli } = await import('#cli/main.ts');
  process.exitCode = await runCli(argv);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
