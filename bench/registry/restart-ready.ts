import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Connection } from '../stage/connection.ts';
import type { Homes } from '../stage/homes.ts';
import { benchEnvironment, pathOfMethod, tokenOf } from '../stage/installation.ts';
import { report } from '../stage/report.ts';
import { median, ms, times } from '../stage/sample.ts';

const sizes = [100, 1_000, 10_000] as const;
const rounds = 7;

const mainFile = fileURLToPath(new URL('../../bin/muster.mjs', import.meta.url));

interface Restart {
  /** Until the command reports that it is ready, in milliseconds. */
  readonly ready: number;
  /** Until the list was answered, in milliseconds. */
  readonly answered: number;
}

/** Measures restarts of all of muster on 100, 1,000 and 10,000 stored agents, in turn. */
export async function benchRestartReady(homes: Homes): Promise<void> {
  const fleets = [];
  for (const size of sizes) {
    const home = await homes.withAgents(size);
    // The first start creates what later ones find: keys, tokens, the host's own record.
    await restart(home);
    fleets.push({ size, home, took: [] as Restart[] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { home, took } of fleets) took.push(await restart(home));
  }
  const middle = (took: readonly Restart[], what: keyof Restart) => median(took.map((one) => one[what]));
  const min = middle(fleets[0]?.took ?? [], 'ready');
  report(
    'restart to ready',
    `\`muster start\` on stored agents (64 dormant, the rest in the archive), medians of ${rounds} restarts, in turn.`,
    ['stored agents', 'database', 'ready', 'list answered', 'ready, to 100'],
    fleets.map(({ size, home, took }) => [
      String(size),
      `${(statSync(join(home, 'muster.db')).size / 1e6).toFixed(1)} MB`,
      ms(middle(took, 'ready')),
      ms(middle(took, 'answered')),
      times(middle(took, 'ready') / min),
    ]),
  );
}

/** Starts muster, waits until it is ready and has answered a call, and stops it. */
async function restart(home: string): Promise<Restart> {
  const started = performance.now();
  const muster = spawn(process.execPath, [mainFile, 'start'], {
    env: benchEnvironment(home),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(muster, 'exit');
  const url = await Promise.race([readyAt(muster), exited.then(() => undefined)]);
  if (url === undefined) throw new Error('muster start ended before it was ready');
  const ready = performance.now() - started;
  const connection = new Connection(url);
  await connection.post(pathOfMethod('ListAgents'), tokenOf(home), '{}');
  const answered = performance.now() - started;
  connection.close();
  muster.kill('SIGTERM');
  await exited;
  return { ready, answered };
}

/** The address in the command's line that says it is ready. */
async function readyAt({ stdout }: ChildProcess): Promise<string | undefined> {
  let said = '';
  for await (const chunk of stdout ?? []) {
    said += String(chunk);
    const address = /muster is ready at (\S+)\n/.exec(said)?.[1];
    if (address !== undefined) return address;
  }
  return undefined;
}
