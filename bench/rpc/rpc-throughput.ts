import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Connection } from '../stage/connection.ts';
import type { Homes } from '../stage/homes.ts';
import { install, pathOfMethod } from '../stage/installation.ts';
import { report } from '../stage/report.ts';
import { median, ms, quantile } from '../stage/sample.ts';

const connections = 32;
const roundMs = 2_000;
const rounds = 5;

/** One kind of call, and the results of its rounds. */
interface Contestant {
  readonly name: string;
  readonly url: string;
  readonly path: string;
  readonly token: string;
  readonly body: string;
  readonly perSecond: number[];
  readonly durations: number[];
}

/** Compares muster with a bare Fastify echo, in turn, over 32 connections. */
export async function benchRpcThroughput(homes: Homes): Promise<void> {
  const echo = fork(fileURLToPath(new URL('./echo-server.ts', import.meta.url)));
  const [{ url: echoUrl }] = (await once(echo, 'message')) as [{ url: string }];
  const muster = await install(await homes.withAgents(1_000), 'idle');
  try {
    const { agents } = await muster.call<{ agents: { agent: { id: string } }[] }>('ListAgents');
    const body = JSON.stringify({ agentId: agents[0]?.agent.id });
    const { url, token } = muster;
    const results = { perSecond: [], durations: [] };
    const contestants: readonly Contestant[] = [
      { name: 'bare Fastify echo', url: echoUrl, path: '/echo', token, body, ...structuredClone(results) },
      ...['GetAgent', 'ListWorkflows'].map((name) => ({
        ...{ name, url, path: pathOfMethod(name), token, body: name === 'GetAgent' ? body : '{}' },
        ...structuredClone(results),
      })),
    ];
    for (let round = -1; round < rounds; round += 1) {
      for (const one of contestants) await run(one, round >= 0);
    }
    print(contestants);
  } finally {
    await muster.stop();
    echo.disconnect();
  }
}

/** Runs one round: every connection calls again as soon as it is answered. */
async function run(contestant: Contestant, counts: boolean): Promise<void> {
  const { url, path, token, body } = contestant;
  const end = performance.now() + roundMs;
  const durations: number[] = [];
  const ask = async (): Promise<void> => {
    const connection = new Connection(url);
    for (let start = performance.now(); start < end; ) {
      await connection.post(path, token, body);
      const now = performance.now();
      durations.push(now - start);
      start = now;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, ask));
  if (!counts) return;
  contestant.perSecond.push((durations.length * 1000) / roundMs);
  for (const duration of durations) contestant.durations.push(duration);
}

function print(contestants: readonly Contestant[]): void {
  const [echo = Number.NaN] = contestants.map(({ perSecond }) => median(perSecond));
  report(
    'throughput of one call',
    `${connections} connections, medians of ${rounds} rounds of ${roundMs / 1000} s each, in turn; caller and servers share the cores.`,
    ['call', 'calls a second', 'to the echo', 'p50', 'p99'],
    contestants.map(({ name, perSecond, durations }) => [
      name,
      median(perSecond).toFixed(0),
      `1 : ${(echo / median(perSecond)).toFixed(1)}`,
      ms(median(durations)),
      ms(quantile(durations, 0.99)),
    ]),
  );
}
