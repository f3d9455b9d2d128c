import { refreshRepositories } from '#actors/registry/forge/used-repositories.ts';
import type { ForgeKind } from '#contract/forge/forge.ts';
import type { ForgeClient, ForgeQuery, ForgeQuota } from '#world/forge/forge-client.ts';
import { openForge } from '#world/forge/open-forge.ts';
import { transportTo } from './doubles/double.ts';
import { ForgeWorld, pull } from './doubles/world.ts';
import { doubles } from './forge-fixture.ts';
import { reading } from './scripted-forge.ts';
import { appAddress, sweepStage } from './sweep-stage.ts';

/** What one sweep asked of a forge. Bytes are those of bodies. */
export interface SweepCost {
  readonly name: string;
  readonly requests: number;
  readonly bytesSent: number;
  readonly bytesGot: number;
}

/**
 * The cost of the first sweep and of later quiet ones of a repository with a number of open pull requests, one an
 * agent's.
 */
export async function quietSweeps(kind: ForgeKind, open: number): Promise<SweepCost[]> {
  const world = new ForgeWorld();
  const pulls = Array.from({ length: open }, (_, place) => pull(place + 1, place === 0 ? { branch: 'one' } : {}));
  world.repository('acme/app', { pulls });
  const counted = { requests: 0, bytesSent: 0, bytesGot: 0 };
  const answer = transportTo(doubles[kind](world));
  const client: ForgeClient = openForge({
    kind,
    host: 'forge.test',
    root: 'https://forge.test',
    credential: async () => world.token,
    now: () => stage.fixture.clock.now(),
    transport: async (url, init) => {
      const response = await answer(url, init);
      counted.requests += 1;
      counted.bytesSent += typeof init.body === 'string' ? Buffer.byteLength(init.body) : 0;
      counted.bytesGot += (await response.clone().arrayBuffer()).byteLength;
      return response;
    },
  });
  const forge = { connectionId: 'fgc_1', client, pathOf: (path: string) => path };
  const stage = await sweepStage({ forHost: async () => forge });
  try {
    await stage.agent('one');
    const costs: SweepCost[] = [];
    for (const [name, minutes] of [
      ['first', 0],
      ['second', 2],
      ['quiet', 2],
      ['whole, each half hour', 31],
    ] as const) {
      Object.assign(counted, { requests: 0, bytesSent: 0, bytesGot: 0 });
      await stage.later(minutes);
      costs.push({ name, ...counted });
    }
    return costs;
  } finally {
    await stage.close();
  }
}

/** The cost of the sweeps of a fleet within an hour. */
export interface HourlyCost {
  readonly sweeps: number;
  /** As GitHub counts: one for each request, and none for one that is answered as unchanged. */
  readonly points: number;
  readonly longestGapMs: number;
}

/**
 * A forge with a number of repositories, each with open pull requests, one of them an agent's, that counts as GitHub
 * does.
 */
class MeteredForge implements ForgeClient {
  readonly kind = 'github';
  readonly host = 'forge.test';
  readonly #open: number;
  readonly #quota: () => ForgeQuota;
  points = 0;
  sweeps = 0;

  constructor(open: number, now: () => number) {
    this.#open = open;
    const began = now();
    this.#quota = () => ({ remaining: 5_000 - this.points, limit: 5_000, resetAt: began + 3_600_000 });
  }

  async list(path: string, { branch, cursor, pageSize }: ForgeQuery) {
    this.points += 1;
    const from = Number(cursor ?? 0);
    const own = this.#of(path, 0);
    const all = branch === undefined ? Array.from({ length: this.#open }, (_, place) => this.#of(path, place)) : [own];
    const next = from + pageSize < all.length ? { nextCursor: String(from + pageSize) } : {};
    const readings = all.slice(from, from + pageSize);
    return { readings, repositoryUrl: `https://forge.test/${path}`, ...next, quota: this.#quota() };
  }

  async read(path: string, refs: readonly { readonly providerId: string; readonly number: number }[]) {
    this.points += 1;
    return { readings: refs.map(({ number }) => this.#of(path, number - 1)), quota: this.#quota() };
  }

  async probe(_path: string, mark: string | undefined) {
    this.sweeps += 1;
    const unchanged = mark === 'same';
    this.points += unchanged ? 0 : 1;
    return { unchanged, mark: 'same', quota: this.#quota() };
  }

  async check() {
    return { login: 'robot', warnings: [] };
  }

  #of(path: string, place: number) {
    const url = `https://forge.test/${path}`;
    return reading(place + 1, {
      repositoryUrl: url,
      headRepositoryUrl: url,
      providerId: `${path} ${place + 1}`,
      headBranch: place === 0 ? 'one' : `branch-${place}`,
    });
  }
}

/**
 * Sweeps a number of repositories for a time on a test clock, each with an agent at work that has an open pull request.
 */
export async function hourOfFleet(repositories: number, open: number, minutes = 60): Promise<HourlyCost> {
  let now = () => 0;
  const forge = new MeteredForge(open, () => now());
  const connected = { connectionId: 'fgc_1', client: forge, pathOf: (path: string) => path };
  const stage = await sweepStage({ forHost: async () => connected });
  const { clock, store } = stage.fixture;
  now = () => clock.now();
  try {
    for (let place = 0; place < repositories; place += 1) {
      await stage.agent(`agent-${place}`, { branch: 'one', repositoryUrl: `${appAddress}-${place}` });
    }
    await refreshRepositories(stage.scope);
    const end = clock.now() + minutes * 60_000;
    const sweeper = stage.sweeper();
    const last = new Map<string, number>();
    let longestGapMs = 0;
    while (clock.now() < end) {
      await sweeper.fill();
      await sweeper.settled();
      const awake = await store.read(({ repositories: table }) => table.awake());
      for (const { id, sweptAt } of awake) {
        if (sweptAt == null || last.get(id) === sweptAt) continue;
        longestGapMs = Math.max(longestGapMs, sweptAt - (last.get(id) ?? sweptAt));
        last.set(id, sweptAt);
      }
      if (sweptOnce(last, repositories)) await refreshRepositories(stage.scope);
      const next = Math.min(...awake.map(({ dueAt }) => dueAt ?? end));
      if (next > clock.now()) clock.pass(Math.min(next, end) - clock.now());
    }
    return { sweeps: forge.sweeps, points: forge.points, longestGapMs };
  } finally {
    await stage.close();
  }
}

/** Whether all have been swept: from then on agents' pull requests are known, and the pace is that of such. */
function sweptOnce(last: ReadonlyMap<string, number>, repositories: number): boolean {
  return last.size === repositories;
}
