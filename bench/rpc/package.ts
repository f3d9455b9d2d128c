import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type InstalledPackage, installGlobally, packMuster } from '#test/package/installed-package.ts';
import type { Homes } from '../stage/homes.ts';
import { report } from '../stage/report.ts';
import { median, ms, quantile, timed, times } from '../stage/sample.ts';

const run = promisify(execFile);
const [starts, rounds] = [7, 25];

/**
 * Measures a first start of the npm package, as it is installed, with neither a state folder nor anything compiled, and its
 * commands compared with a Node that does nothing.
 */
export async function benchPackage(homes: Homes): Promise<void> {
  const folder = homes.folder();
  const tarball = await packMuster(folder);
  const installed = await installGlobally(tarball.file, folder);
  const ready = [];
  for (let round = 0; round < starts; round += 1) ready.push(await firstStart(installed, homes.folder()));
  report(
    'a first start of the npm package',
    `${starts} of them, each without a state folder or compiled code; the package has ${(tarball.bytes / 1e6).toFixed(1)} MB.`,
    ['min', 'p50', 'max', 'target'],
    [[ms(Math.min(...ready)), ms(median(ready)), ms(Math.max(...ready)), '< 3000 ms']],
  );
  await benchCommands(installed, homes.folder());
}

/** How long `muster start` takes to be ready on a new home, in milliseconds. */
async function firstStart({ muster, environment }: InstalledPackage, home: string): Promise<number> {
  const settings = {
    NODE_COMPILE_CACHE: '',
    HOME: home,
    MUSTER_HOME: join(home, 'state'),
    MUSTER_PORT: '0',
    MUSTER_ISOLATION: 'none',
    MUSTER_LOG: 'warn',
  };
  const started = performance.now();
  const service = spawn(muster, ['start'], {
    env: { ...environment, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(service, 'exit');
  let said = '';
  for await (const chunk of service.stdout) {
    said += String(chunk);
    if (said.includes('muster is ready at')) break;
  }
  const took = performance.now() - started;
  service.kill('SIGTERM');
  await exited;
  return took;
}

async function benchCommands({ muster, environment }: InstalledPackage, home: string): Promise<void> {
  const env = { ...environment, HOME: home };
  const commands = [
    { name: 'node -e 0', argv: [process.execPath, '-e', '0'], durations: [] as number[] },
    ...[['--version'], ['--help'], ['rpc', 'create-agent', '--help']].map((words) => ({
      name: `muster ${words.join(' ')}`,
      argv: [muster, ...words],
      durations: [] as number[],
    })),
  ];
  for (let round = -2; round < rounds; round += 1) {
    for (const { argv, durations } of commands) {
      const [program = '', ...words] = argv;
      const took = await timed(() => run(program, words, { env }));
      if (round >= 0) durations.push(took);
    }
  }
  const bare = median(commands[0]?.durations ?? []);
  report(
    'commands of the npm package',
    `${rounds} of each, in turn, with a warm compile cache.`,
    ['command', 'p50', 'p95', 'to node -e 0', 'target'],
    commands.map(({ name, durations }, index) => [
      name,
      ms(median(durations)),
      ms(quantile(durations, 0.95)),
      times(median(durations) / bare),
      index === 0 ? '' : '< 2.00 x',
    ]),
  );
}
