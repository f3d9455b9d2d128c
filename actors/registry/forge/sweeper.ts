import { randomUUID } from 'node:crypto';
import { change } from '#actors/registry/agent/change.ts';
import type { KernelScope, WritingScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { StoredRepository } from '#store/forge/repository-entity.ts';
import type { Tables } from '#store/store.ts';
import type { ForgeCall, ForgeClient } from '#world/forge/forge-client.ts';
import { ForgeError } from '#world/forge/forge-error.ts';
import { confirmedBranches } from './confirmed.ts';
import type { Forges } from './forges.ts';
import { moveRepository, placeOnForge } from './repositories.ts';
import { commitSweep } from './sweep-commit.ts';
import { type KnownOpen, readAgain, readRepository, type SweepWish, type SweepYield } from './sweep-reading.ts';
import { branchesOf } from './wanted.ts';

/** What a sweeper works with. */
export type SweepScope = WritingScope &
  Pick<KernelScope, 'log'> & {
    readonly forges: Forges;
  };

/** How many repositories are swept together. */
const atOnce = 4;
/** How long a sweeper holds a repository without a sign of life: longer than one call of a forge may take, in milliseconds. */
const lease = 90_000;

/** A repository that this sweeper holds. */
interface Held {
  readonly repository: StoredRepository;
  readonly token: string;
  readonly isReread: boolean;
}

/** Sweeps repositories that are due, each held by one sweeper at a time. */
export class Sweeper {
  readonly #scope: SweepScope;
  readonly #held = new Set<Promise<void>>();
  /** The look that follows a sweep's end. */
  #next: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();

  constructor(scope: SweepScope) {
    this.#scope = scope;
  }

  /** Takes as many repositories as are due and there is room for; gives when the ones it took are done. */
  async look(): Promise<void> {
    const { store, clock } = this.#scope;
    const room = atOnce - this.#held.size;
    if (this.#stopping.signal.aborted || room <= 0) return;
    const isDue = (await store.read(({ repositories }) => repositories.due(clock.now(), 1))).length > 0;
    if (!isDue) return;
    const claimed = await change(this.#scope, (writing) => claim(writing, room));
    for (const held of claimed) {
      const work: Promise<void> = this.#work(held)
        .catch((error: unknown) =>
          this.#scope.log.error({ err: error, repository: held.repository.spelled }, 'a sweep was dropped'),
        )
        .finally(() => {
          this.#held.delete(work);
          this.#next = this.look().catch(() => undefined);
        });
      this.#held.add(work);
    }
  }

  /** Waits until nothing is under way any more. */
  async settled(): Promise<void> {
    do {
      await Promise.all(this.#held);
      await this.#next;
    } while (this.#held.size > 0);
  }

  /** Breaks off what it holds and gives it back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.settled();
  }

  async #work(held: Held): Promise<void> {
    const { repository, token, isReread } = held;
    const found = await this.#read(held);
    if (this.#stopping.signal.aborted) {
      await change(this.#scope, (writing) => giveBack(writing, held));
      return;
    }
    const swept = { repositoryId: repository.id, lease: token, isReread, spread: Math.random() };
    const isOurs = await change(this.#scope, (writing) => commitSweep(writing, swept, found));
    const { error } = found;
    if (error !== undefined) {
      this.#scope.log.warn({ err: error, repository: repository.spelled }, 'a repository could not be swept');
    }
    if (!isOurs) this.#scope.log.warn({ repository: repository.spelled }, 'a sweep came too late and was let go');
  }

  async #read(held: Held): Promise<SweepYield> {
    const { store, forges, clock } = this.#scope;
    const { repository, isReread } = held;
    const place = placeOnForge(repository.url ?? repository.spelled);
    const forge = place && (await forges.forHost(place.host));
    const wish = await store.read((tables) => wishOf(tables, repository, clock.now(), isReread));
    if (place === undefined || forge === undefined) {
      return nothingOf(wish, new ForgeError('unreachable', 'its forge is not connected any more'));
    }
    const client = beating(forge.client, () => this.#beat(held));
    const call: ForgeCall = { signal: this.#stopping.signal };
    return (isReread ? readAgain : readRepository)(client, { ...wish, path: forge.pathOf(place.path) }, call);
  }

  async #beat({ repository, token }: Held): Promise<void> {
    await change(this.#scope, async (writing) => {
      const current = await writing.tables.repositories.find(repository.id);
      const event = { type: 'HEARTBEAT', lease: token, until: writing.now + lease } as const;
      const moved = current && (await moveRepository(writing, current, event));
      if (moved === undefined) throw new ForgeError('timeout', 'the sweep took too long, and another one has begun');
    });
  }
}

/** The forge's client, with a sign of life before each of its calls. */
function beating(client: ForgeClient, beat: () => Promise<void>): ForgeClient {
  const { kind, host } = client;
  return {
    kind,
    host,
    list: async (...given) => beat().then(() => client.list(...given)),
    read: async (...given) => beat().then(() => client.read(...given)),
    probe: async (...given) => beat().then(() => client.probe(...given)),
    check: async (...given) => beat().then(() => client.check(...given)),
  };
}

async function claim(writing: Change, room: number): Promise<Held[]> {
  const { tables, now } = writing;
  const held: Held[] = [];
  for (const due of await tables.repositories.due(now, room)) {
    // One whose sweeper has given no sign of life is taken from it.
    const free = (await moveRepository(writing, due, { type: 'LOST', now })) ?? due;
    const isReread = free.state === 'unsettled';
    const token = randomUUID();
    const repository = await moveRepository(writing, free, { type: 'CLAIM', now, lease: token, until: now + lease });
    if (repository !== undefined) held.push({ repository, token, isReread });
  }
  return held;
}

async function giveBack(writing: Change, { repository, token }: Held): Promise<void> {
  const current = await writing.tables.repositories.find(repository.id);
  if (current) await moveRepository(writing, current, { type: 'RELEASE', lease: token, now: writing.now });
}

async function wishOf(
  tables: Tables,
  repository: StoredRepository,
  now: number,
  isReread: boolean,
): Promise<SweepWish> {
  const branches = branchesOf(await confirmedBranches(tables), repository);
  const rows = await tables.pullRequests.openOf(repository.id);
  const open = rows.map((row) => {
    const watched = row.own && branches.includes(row.headBranch);
    return {
      providerId: row.providerId,
      number: row.number,
      watched,
      inParent: row.target !== (repository.place ?? repository.address),
      unsettled: row.merge.unsettled,
    };
  });
  return {
    path: '',
    now,
    mark: repository.mark ?? undefined,
    wholeAt: repository.wholeAt ?? undefined,
    newestAt: repository.newestAt ?? undefined,
    parent: repository.parent ?? undefined,
    open: open.filter(({ watched, unsettled }) => !isReread || (watched && unsettled)) satisfies KnownOpen[],
    branches,
    branchesRead: repository.branches,
  };
}

function nothingOf({ branchesRead }: SweepWish, error: unknown): SweepYield {
  return {
    readings: new Map(),
    gone: [],
    mark: undefined,
    wholeAt: undefined,
    branchesRead,
    repositoryUrl: undefined,
    parent: undefined,
    warning: undefined,
    quota: undefined,
    cost: 0,
    error,
  };
}
