import { change } from '#actors/registry/agent/change.ts';
import { askHost } from '#actors/registry/host/host-call.ts';
import type { KernelScope, WriteScope } from '#actors/registry/kernel/kernel-scope.ts';
import { reviewCalls } from '#contract/wire/review-calls.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { ReviewColumns } from '#store/agent/review-columns.ts';
import type { StoredRound } from '#store/review/entities.ts';
import type { Tables } from '#store/tables.ts';
import { hostOf } from './host-of.ts';

type Scope = WriteScope & Pick<KernelScope, 'lines' | 'log'>;

/**
 * The rounds that an agent's worktree is compared with: the newest one, and the one of the last verdict that counts.
 */
interface ComparedRounds {
  readonly newest: StoredRound;
  readonly judged: StoredRound | undefined;
}

/**
 * Compares agents' worktrees with their review rounds: when an agent comes to rest, when its base moves, and after a
 * new round or verdict. A request during a measurement repeats it once. Measurements run in the background, and a
 * failed one is only logged: the next one replaces it.
 */
export class ReviewStatuses {
  readonly #scope: Scope;
  readonly #running = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  #stopped = false;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  measure(agentId: string): void {
    if (this.#stopped) return;
    if (this.#running.has(agentId)) {
      this.#again.add(agentId);
      return;
    }
    const running = measureOnce(this.#scope, agentId)
      .catch((err: unknown) =>
        this.#scope.log.warn({ err, agentId }, 'the review status of a worktree could not be measured'),
      )
      .finally(() => {
        this.#running.delete(agentId);
        if (this.#again.delete(agentId)) this.measure(agentId);
      });
    this.#running.set(agentId, running);
  }

  /** Measures an agent whose base has moved, if it has a round. Resolves to whether it has one. */
  async remeasure(agentId: string): Promise<boolean> {
    const isMeasured = (await this.#scope.store.read((tables) => measurable(tables, agentId))) !== undefined;
    if (isMeasured) this.measure(agentId);
    return isMeasured;
  }

  /**
   * Measures every agent of a host that has a round, one at a time. Used for a host that did not report its changes.
   */
  measureAll(hostId: string): void {
    const run = async (): Promise<void> => {
      for (const agentId of await this.#scope.store.read(({ rounds }) => rounds.agents())) {
        const found = await this.#scope.store.read((tables) => measurable(tables, agentId));
        if (found?.agent.host !== hostId) continue;
        this.measure(agentId);
        await this.#running.get(agentId);
      }
    };
    run().catch((err: unknown) =>
      this.#scope.log.warn({ err, hostId }, 'the worktrees of a host could not be measured'),
    );
  }

  /** Starts no more measurements, and waits for those in progress. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running.values());
  }
}

async function measureOnce(scope: Scope, agentId: string): Promise<void> {
  const found = await scope.store.read(async (tables) => {
    const measured = await measurable(tables, agentId);
    return measured && { ...measured, host: await hostOf(tables, measured.agent) };
  });
  if (found === undefined) return;
  const { host, newest, judged } = found;
  const rounds = judged === undefined || judged.id === newest.id ? [newest] : [newest, judged];
  const request = {
    agentId,
    ...(newest.base === '' ? {} : { base: newest.base }),
    rounds: rounds.map(({ baseSha, snapshotSha }) => ({ baseSha, snapshotSha })),
  };
  const { standing } = reviewCalls;
  const { standings } = await askHost(scope.lines, host, standing, request, standing.withinMs);
  const [first, second = first] = standings;
  if (first === undefined) return;
  const reviewed: Partial<ReviewColumns> = {
    treeStanding: first.standing,
    treeStandingSha: newest.snapshotSha,
    movedSinceRound: first.moved ? newest.snapshotSha : null,
    localReviewTree: judged === undefined ? null : (second?.standing ?? null),
  };
  await change(scope, async ({ tables }) => {
    const now = await tables.agents.find(agentId);
    const current = await toMeasure(tables, agentId);
    // A round or verdict that was added meanwhile requests its own measurement.
    if (now === undefined || current?.newest.id !== newest.id || current.judged?.id !== judged?.id) return;
    await tables.journal.setReviewed(now, reviewed);
  });
}

async function measurable(
  tables: Tables,
  agentId: string,
): Promise<(ComparedRounds & { readonly agent: StoredAgent }) | undefined> {
  const agent = await tables.agents.find(agentId);
  const measured = agent?.standing === 'present' && !agent.worktreeRemoved && (await toMeasure(tables, agentId));
  return agent && measured ? { agent, ...measured } : undefined;
}

async function toMeasure({ rounds, reviews }: Tables, agentId: string): Promise<ComparedRounds | undefined> {
  const newest = await rounds.newest(agentId);
  if (newest === undefined) return undefined;
  const judging = await reviews.lastCounting(agentId);
  return { newest, judged: judging?.round == null ? undefined : await rounds.find(judging.round) };
}
