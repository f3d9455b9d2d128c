import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { environmentLine } from '#service/unit/systemd-unit.ts';
import { type InstalledPackage, installGlobally, packMuster } from '#test/package/installed-package.ts';
import { standForSystemd } from '#test/service/unit/service-manager-stand.ts';
import type { Homes } from '../stage/homes.ts';
import { report } from '../stage/report.ts';
import { median, ms, timed, times } from '../stage/sample.ts';

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
async function firstStart(installed: InstalledPackage, home: string): Promise<number> {
  const started = performance.now();
  const service = await startIn(installed, home);
  const took = performance.now() - started;
  await service.end();
  return took;
}

interface Service {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly end: () => Promise<void>;
}

/** Starts the service on a new home, and returns once it is ready. */
async function startIn({ muster, environment }: InstalledPackage, home: string): Promise<Service> {
  const env = {
    ...environment,
    NODE_COMPILE_CACHE: '',
    HOME: home,
    MUSTER_HOME: join(home, 'state'),
    MUSTER_PORT: '0',
    MUSTER_ISOLATION: 'none',
    MUSTER_LOG: 'warn',
  };
  const service = spawn(muster, ['start'], { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(service, 'exit');
  let said = '';
  let url: string | undefined;
  for await (const chunk of service.stdout) {
    said += String(chunk);
    url = /muster is ready at (\S+)/.exec(said)?.[1];
    if (url !== undefined) break;
  }
  const end = async (): Promise<void> => {
    service.kill('SIGTERM');
    await exited;
  };
  return { url: url ?? '', env, end };
}

async function benchCommands(installed: InstalledPackage, home: string): Promise<void> {
  const { muster } = installed;
  const service = await startIn(installed, home);
  const manager = standForSystemd(home, '', { systemctl: 'ActiveState=active\nSubState=running', loginctl: 'yes' });
  // Its file is what `muster service status` looks for first.
  const units = join(home, '.config', 'systemd', 'user');
  mkdirSync(units, { recursive: true });
  writeFileSync(join(units, 'muster-state.service'), environmentLine('MUSTER_HOME', join(home, 'state')));
  const env = { ...service.env, MUSTER_URL: service.url, XDG_CONFIG_HOME: '', PATH: manager.path };
  const prompt = ['--harness', 'shell', '--title', 'bench', 'true'];
  try {
    await run(muster, ['new', ...prompt], { cwd: home, env });
    await measureCommands(muster, { cwd: home, env });
    await run(muster, ['delete', 'bench', '--force'], { cwd: home, env });
  } finally {
    await service.end();
  }
}

async function measureCommands(muster: string, place: { cwd: string; env: NodeJS.ProcessEnv }): Promise<void> {
  const words = ['--version', '--help', 'help isolation', 'rpc create-agent --help'];
  const calls = ['ls', 'show bench', 'mail ls bench', 'hosts', 'workflow ls', 'service status'];
  const commands = [
    { name: 'node -e 0', argv: [process.execPath, '-e', '0'], durations: [] as number[] },
    ...[...words, ...calls].map((line) => ({
      name: `muster ${line}`,
      argv: [muster, ...line.split(' ')],
      durations: [] as number[],
    })),
  ];
  for (let round = -2; round < rounds; round += 1) {
    for (const { argv, durations } of commands) {
      const [program = '', ...given] = argv;
      const took = await timed(() => run(program, given, place));
      if (round >= 0) durations.push(took);
    }
  }
  const [bare = []] = commands.map(({ durations }) => durations);
  report(
    'commands of the npm package',
    `${rounds} of each, in turn, with the code that earlier ones left. Under a load, compare the shortest.`,
    ['command', 'min', 'p50', 'min to node -e 0', 'p50 to it', 'target'],
    commands.map(({ name, durations }, index) => [
      name,
      ms(Math.min(...durations)),
      ms(median(durations)),
      times(Math.min(...durations) / Math.min(...bare)),
      times(median(durations) / median(bare)),
      index === 0 ? '' : '< 2.00 x',
    ]),
  );
}
