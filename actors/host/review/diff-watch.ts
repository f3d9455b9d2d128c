import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import type { CheckoutDiff } from '#contract/agent/agent-view.ts';
import type { Clock } from '#contract/clock.ts';
import type { Log } from '#contract/process-context.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { forgetHashed } from '#world/git/checkout/own-index.ts';
import { diffSize } from '#world/git/review/diff-size.ts';
import { basesOf, provisioned } from './provisioned-worktree.ts';

/** The pause between measurements of a worktree whose agent works or is held, in milliseconds. */
const atWorkMs = 30_000;
/**
 * After each measurement, the watch rests this many times as long as it took, so that it never keeps the machine busy.
 */
const restFactor = 20;
/** Maximum rest, in milliseconds. */
const maxRestMs = 60_000;

interface DiffMeasurement {
  /** The state and commit at which the agent was measured. */
  readonly mark: string;
  readonly at: number;
  /** Whether the last attempt failed and was logged. */
  readonly failed: boolean;
}

/** Measures how much agents' worktrees differ from their bases, one at a time, and reports changes to their actors. */
export class DiffWatch {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #measured = new WeakMap<AgentActor, DiffMeasurement>();
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Measures one agent, unless the watch rests: first one that has changed, otherwise the working one that was measured
   * longest ago.
   */
  async measureNext(actors: Iterable<AgentActor>): Promise<void> {
    const startedAt = this.#clock.now();
    if (startedAt < this.#restsUntil) return;
    const due = [...actors].flatMap((actor) => this.#dueAt(actor, startedAt));
    const [next] = due.sort((one, other) => one.since - other.since);
    if (next === undefined) return;
    await this.#measure(next.actor, startedAt);
    const now = this.#clock.now();
    this.#restsUntil = now + Math.min(maxRestMs, restFactor * (now - startedAt));
  }

  /** The agent, and the time since which it is due; empty if it is not due. */
  #dueAt(actor: AgentActor, now: number): { actor: AgentActor; since: number }[] {
    const { worktree, worktreeRemoved, briefed, state, heldAt } = actor.context;
    if (worktree === undefined || worktreeRemoved || !briefed) return [];
    const last = this.#measured.get(actor);
    if (last === undefined || last.mark !== markOf(actor)) return [{ actor, since: Number.NEGATIVE_INFINITY }];
    const isAtWork = state === 'AGENT_STATE_THINKING' || heldAt !== undefined || last.failed;
    return isAtWork && now - last.at >= atWorkMs ? [{ actor, since: last.at }] : [];
  }

  async #measure(actor: AgentActor, at: number): Promise<void> {
    const { worktree } = actor.context;
    if (worktree === undefined) return;
    // Read the mark before measuring, so that a change meanwhile is measured again.
    const mark = markOf(actor);
    const hadFailed = this.#measured.get(actor)?.failed ?? false;
    try {
      const { record } = actor;
      const diff = await diffSize(await provisioned(record.id, worktree), basesOf(record, undefined));
      this.#measured.set(actor, { mark, at, failed: false });
      report(actor, diff);
    } catch (err) {
      this.#measured.set(actor, { mark, at, failed: true });
      if (!hadFailed) this.#log.warn({ err, agentId: actor.record.id }, 'the diff of a worktree could not be measured');
    } finally {
      // The agent may have been deleted meanwhile, and its hashes forgotten, while this added more.
      if (phaseOf(actor.record.snapshot.value) === 'gone') forgetHashed(worktree.path);
    }
  }
}

function markOf({ context: { state, checkout } }: AgentActor): string {
  return `${state} ${checkout.branch} ${checkout.headSha}`;
}

function report(actor: AgentActor, diff: CheckoutDiff | undefined): void {
  const { checkout, worktreeRemoved } = actor.context;
  const { diff: known, ...others } = checkout;
  if (worktreeRemoved || isSame(known, diff)) return;
  actor.send({
    type: 'CHECKOUT_READ',
    checkout: { ...others, ...(diff && { diff }) },
    worktreeGone: worktreeRemoved,
  });
}

function isSame(one: CheckoutDiff | undefined, other: CheckoutDiff | undefined): boolean {
  return one?.files === other?.files && one?.additions === other?.additions && one?.deletions === other?.deletions;
}
