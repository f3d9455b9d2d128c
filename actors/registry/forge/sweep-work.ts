import { randomUUID } from 'node:crypto';
import { change } from '#actors/registry/agent/change.ts';
import type { WriteScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { DueRows, LeasedWork } from '#actors/worker/leased-work.ts';
import type { WorkScope } from '#actors/worker/work-scope.ts';
import type { SweepEvent } from '#machines/forge/sweep-context.ts';
import type { StoredRepository } from '#store/forge/repository-entity.ts';
import type { Tables } from '#store/tables.ts';
import { ForgeError } from '#world/forge/forge-error.ts';
import { confirmedBranches } from './confirmed-repositories.ts';
import type { Forges } from './forges.ts';
import { advanceRepository, placeOnForge } from './repositories.ts';
import { commitSweep } from './sweep-commit.ts';
import {
  type OpenPullRequest,
  readAgain,
  readRepository,
  type SweepRequest,
  type SweepResult,
} from './sweep-reading.ts';
import { branchesOf } from './used-repositories.ts';

/** The dependencies of a sweeper. */
export type SweepScope = WriteScope & WorkScope & { readonly forges: Forges };

/** A repository that a sweeper has leased; the token is its fence. */
interface LeasedRepository {
  readonly repository: StoredRepository;
  readonly token: string;
  readonly isReread: boolean;
}

/** Sweeps repositories that are due. */
export class SweepWork implements LeasedWork<LeasedRepository, SweepResult> {
  readonly name = 'sweeps';
  readonly atOnce = 4;
  readonly lease = 90_000;
  readonly heartbeat = 30_000;
  readonly #scope: SweepScope;

  constructor(scope: SweepScope) {
    this.#scope = scope;
  }

  async due(): Promise<DueRows> {
    const { store, clock } = this.#scope;
    const due = await store.read(({ repositories }) => repositories.due(clock.now(), this.atOnce));
    return { free: due.some((one) => !isLeased(one)), expired: due.some(isLeased) };
  }

  async rescue(): Promise<void> {
    await change(this.#scope, async (writing) => {
      const { tables, now } = writing;
      for (const due of await tables.repositories.due(now, this.atOnce)) {
        await advanceRepository(writing, due, { type: 'LOST', now });
      }
    });
  }

  claim(room: number): Promise<readonly LeasedRepository[]> {
    return change(this.#scope, async (writing) => {
      const { tables, now } = writing;
      const leased: LeasedRepository[] = [];
      for (const due of await tables.repositories.due(now, room)) {
        const token = randomUUID();
        const claim = { type: 'CLAIM', now, lease: token, until: now + this.lease } as const;
        const repository = await advanceRepository(writing, due, claim);
        if (repository !== undefined) leased.push({ repository, token, isReread: due.state === 'unsettled' });
      }
      return leased;
    });
  }

  renew(leased: LeasedRepository): Promise<boolean> {
    return this.#send(leased, (lease, now) => ({ type: 'HEARTBEAT', lease, until: now + this.lease }));
  }

  async perform({ repository, isReread }: LeasedRepository, signal: AbortSignal): Promise<SweepResult> {
    const { store, forges, clock } = this.#scope;
    const place = placeOnForge(repository.url ?? repository.spelled);
    const forge = place && (await forges.forHost(place.host));
    const request = await store.read((tables) => toRequest(tables, repository, clock.now(), isReread));
    if (place === undefined || forge === undefined) {
      return emptyResult(request, new ForgeError('unreachable', 'its forge is no longer connected'));
    }
    const read = isReread ? readAgain : readRepository;
    const found = await read(forge.client, { ...request, path: forge.pathOf(place.path) }, { signal });
    // A cancelled sweep is no evidence about the forge.
    signal.throwIfAborted();
    return found;
  }

  async settle({ repository, token, isReread }: LeasedRepository, found: SweepResult): Promise<boolean> {
    const swept = { repositoryId: repository.id, lease: token, isReread, spread: Math.random() };
    const isOurs = await change(this.#scope, (writing) => commitSweep(writing, swept, found));
    const { error } = found;
    if (error !== undefined) {
      this.#scope.log.warn({ err: error, repository: repository.spelled }, 'a repository could not be swept');
    }
    return isOurs;
  }

  async release(leased: LeasedRepository): Promise<void> {
    await this.#send(leased, (lease, now) => ({ type: 'RELEASE', lease, now }));
  }

  about({ repository }: LeasedRepository): Readonly<Record<string, unknown>> {
    return { repository: repository.spelled };
  }

  /** Sends the repository's machine its sweeper's report; false if another sweeper has leased it meanwhile. */
  async #send(
    { repository, token }: LeasedRepository,
    say: (lease: string, now: number) => SweepEvent,
  ): Promise<boolean> {
    const advanced = await change(this.#scope, async (writing) => {
      const current = await writing.tables.repositories.find(repository.id);
      return current && advanceRepository(writing, current, say(token, writing.now));
    });
    return advanced !== undefined;
  }
}

/** Whether a repository is being swept, so that its due time is the end of a lease. */
function isLeased({ state }: StoredRepository): boolean {
  return state === 'sweeping' || state === 'rereading';
}

async function toRequest(
  tables: Tables,
  repository: StoredRepository,
  now: number,
  isReread: boolean,
): Promise<SweepRequest> {
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
    open: open.filter(({ watched, unsettled }) => !isReread || (watched && unsettled)) satisfies OpenPullRequest[],
    branches,
    branchesRead: repository.branches,
  };
}

function emptyResult({ branchesRead }: SweepRequest, error: unknown): SweepResult {
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
