import { setTimeout as delay } from 'node:timers/promises';
import { openStream, type StreamCall } from '#test/gateway/stream-call.ts';
import { cpuOf, processesOf } from '../stage/cpu.ts';
import type { Homes } from '../stage/homes.ts';
import { type BenchInstallation, install } from '../stage/installation.ts';

const windowMs = 10_000;

/** What open pages cost each process of the service, in cores, and what the pages receive. */
export interface WatcherCost {
  readonly pages: number;
  readonly registry: number;
  readonly gateway: number;
  readonly bus: number;
  /** Transitions per second: fewer than requested if the machine is too slow. */
  readonly transitions: number;
  /** Rows per second to each page. */
  readonly rows: number;
}

/**
 * Measures the service under transitions, with different numbers of open pages. Only the streams of the pages are
 * simulated.
 */
export async function measureWatchers(
  homes: Homes,
  size: number,
  transitionsPerSecond: number,
  pages: readonly number[],
): Promise<readonly WatcherCost[]> {
  const home = await homes.with({ live: size });
  const muster = await install(home, 'busy', { BENCH_TRANSITIONS: String(transitionsPerSecond) });
  const streams: Follower[] = [];
  try {
    const measured: WatcherCost[] = [];
    for (const count of pages) {
      while (streams.length < count) streams.push(await Follower.open(muster));
      await Promise.all(streams.map(({ caughtUp }) => caughtUp));
      await delay(1_000);
      measured.push(await during(muster, home, streams));
    }
    return measured;
  } finally {
    for (const stream of streams) await stream.close();
    await muster.stop();
  }
}

async function during(muster: BenchInstallation, home: string, streams: readonly Follower[]): Promise<WatcherCost> {
  const pages = streams.length;
  const pids = [/muster\.mjs registry/, /muster\.mjs gateway/, /nats-server/].map((pattern) =>
    processesOf(pattern, home),
  );
  const before = pids.map((group) => cpuOf(group));
  const rowsBefore = streams.reduce((sum, { rows }) => sum + rows, 0);
  const countBefore = await countTransitions(muster);
  const started = performance.now();
  await delay(windowMs);
  const took = performance.now() - started;
  const [registry = 0, gateway = 0, bus = 0] = pids.map((group, at) => (cpuOf(group) - (before[at] ?? 0)) / took);
  const transitions = (((await countTransitions(muster)) - countBefore) / took) * 1_000;
  const received = streams.reduce((sum, { rows }) => sum + rows, 0) - rowsBefore;
  const rows = pages === 0 ? 0 : (received / pages / took) * 1_000;
  return { pages, registry, gateway, bus, transitions, rows };
}

/** The transitions of agents that the registry has recorded since its start. */
async function countTransitions({ url, token }: BenchInstallation): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const [, count = '0'] = /^muster_facts_total\{kind="agent\.state-moved"\} (\d+)/m.exec(await answer.text()) ?? [];
  return Number(count);
}

/** The stream of a page. */
class Follower {
  rows = 0;
  readonly caughtUp: Promise<void>;
  readonly #stream: StreamCall;
  readonly #following: Promise<void>;

  static async open({ url, token }: BenchInstallation): Promise<Follower> {
    const authorization = `Bearer ${token}`;
    const port = Number(new URL(url).port);
    return new Follower(await openStream({ port }, '/agent.v1.AgentService/WatchAgents', {}, { authorization }));
  }

  constructor(stream: StreamCall) {
    this.#stream = stream;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.caughtUp = promise;
    this.#following = this.#follow(resolve);
  }

  async close(): Promise<void> {
    await this.#stream.close();
    await this.#following;
  }

  async #follow(caughtUp: () => void): Promise<void> {
    for (;;) {
      const frame = await this.#stream.next().catch(() => undefined);
      if (frame === undefined) return;
      const rows = (frame.json['agents'] as unknown[] | undefined)?.length ?? 0;
      this.rows += rows;
      if (rows < 100) caughtUp();
    }
  }
}
