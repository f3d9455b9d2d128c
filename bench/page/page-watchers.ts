import { setTimeout as delay } from 'node:timers/promises';
import { openStream, type StreamCall } from '#test/gateway/stream-call.ts';
import { cpuOf, processesOf } from '../stage/cpu.ts';
import type { Homes } from '../stage/homes.ts';
import { type BenchInstallation, install } from '../stage/installation.ts';

const windowMs = 10_000;

/** What so many open pages take of the service, in cores, and how soon and how fully they are reported. */
export interface Watched {
  readonly pages: number;
  readonly registry: number;
  readonly gateway: number;
  readonly bus: number;
  /** Moves that were made in a second: fewer than were asked for where the machine has no room for more. */
  readonly moved: number;
  /** Rows that were sent to one page in a second. */
  readonly told: number;
}

/**
 * What the service takes while a fleet moves and nobody, one, or many pages follow it. Of a page there is only its
 * stream.
 */
export async function measureWatchers(
  homes: Homes,
  size: number,
  movesPerSecond: number,
  pages: readonly number[],
): Promise<readonly Watched[]> {
  const home = await homes.with({ live: size });
  const muster = await install(home, 'moving', { BENCH_MOVES: String(movesPerSecond) });
  const streams: Follower[] = [];
  try {
    const measured: Watched[] = [];
    for (const count of pages) {
      while (streams.length < count) streams.push(await Follower.open(muster));
      await Promise.all(streams.map(({ caughtUp }) => caughtUp));
      await delay(1_000);
      measured.push(await during(muster, home, streams));
    }
    return measured;
  } finally {
    for (const one of streams) await one.close();
    await muster.stop();
  }
}

async function during(muster: BenchInstallation, home: string, streams: readonly Follower[]): Promise<Watched> {
  const pages = streams.length;
  const pids = [/muster\.mjs registry/, /muster\.mjs gateway/, /nats-server/].map((one) => processesOf(one, home));
  const before = pids.map((group) => cpuOf(group));
  const told = streams.reduce((sum, { rows }) => sum + rows, 0);
  const moves = await movesOf(muster);
  const started = performance.now();
  await delay(windowMs);
  const took = performance.now() - started;
  const [registry = 0, gateway = 0, bus = 0] = pids.map((group, at) => (cpuOf(group) - (before[at] ?? 0)) / took);
  const moved = (((await movesOf(muster)) - moves) / took) * 1_000;
  const rows = streams.reduce((sum, one) => sum + one.rows, 0) - told;
  return { pages, registry, gateway, bus, moved, told: pages === 0 ? 0 : (rows / pages / took) * 1_000 };
}

/** How many moves of agents the registry has recorded since it was started. */
async function movesOf({ url, token }: BenchInstallation): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const [, count = '0'] = /^muster_facts_total\{kind="agent\.state-moved"\} (\d+)/m.exec(await answer.text()) ?? [];
  return Number(count);
}

/** A stream of the fleet, as a page has one. */
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
