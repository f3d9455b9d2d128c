import type { Log } from '#contract/process-context.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { baseFingerprint } from '#world/git/review/base-fingerprint.ts';
import { type BaseQuestion, baseTips } from '#world/git/review/round-base.ts';

/** How often the files of bases are checked, in milliseconds. git is run only if they have changed. */
const lookMs = 5_000;

export interface BaseWatchOptions {
  /** Reports that the base of an agent's work has moved; returns whether to keep watching the agent. */
  readonly report: (agentId: string) => Promise<boolean>;
  readonly clock: Timer;
  readonly log: Log;
}

/** A base that a worktree was compared with. */
interface BaseMeasurement {
  readonly at: GitDirectory;
  readonly question: BaseQuestion;
  readonly tips: readonly string[];
  readonly fingerprint: string | undefined;
  /** Whether the last check could not read it, for example because the repository is gone. */
  readonly isUnreadable?: true;
}

/** Watches the bases that agents' worktrees were compared with, and reports each one that moves. */
export class BaseWatch {
  readonly #options: BaseWatchOptions;
  readonly #measured = new Map<string, BaseMeasurement>();
  /** The newest measurement in progress of each agent. */
  readonly #measuring = new Map<string, symbol>();
  /** Agents whose last check failed and was logged. */
  readonly #failing = new Set<string>();
  readonly #stop = new AbortController();

  constructor(options: BaseWatchOptions) {
    this.#options = options;
  }

  /** Runs a measurement of an agent's worktree, and watches its base from then on. */
  async over<Result extends { readonly tips: readonly string[] }>(
    agentId: string,
    { at, question }: { readonly at: GitDirectory; readonly question: BaseQuestion },
    measure: () => Promise<Result>,
  ): Promise<Result> {
    const own = Symbol(agentId);
    this.#measuring.set(agentId, own);
    try {
      // Read the fingerprint before measuring, so that the next check sees a change meanwhile.
      const fingerprint = await baseFingerprint(at, question, this.#options.clock.now());
      const result = await measure();
      // If the agent was forgotten or measured again meanwhile, this result is outdated.
      if (this.#measuring.get(agentId) === own) {
        this.#measured.set(agentId, { at, question, tips: result.tips, fingerprint });
      }
      return result;
    } finally {
      if (this.#measuring.get(agentId) === own) this.#measuring.delete(agentId);
    }
  }

  /** Stops watching an agent's base. */
  forget(agentId: string): void {
    this.#measured.delete(agentId);
    this.#measuring.delete(agentId);
    this.#failing.delete(agentId);
  }

  /** Checks regularly until `stop`. */
  start(): void {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    const run = async (): Promise<void> => {
      while (!signal.aborted) {
        await clock.sleep(lookMs, signal);
        await this.check();
      }
    };
    run().catch((err: unknown) => {
      if (!signal.aborted) log.error({ err }, 'the bases of reviews are no longer watched');
    });
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Checks each base once. A repeated failure is logged once. */
  async check(): Promise<void> {
    for (const [agentId, measured] of this.#measured) {
      try {
        await this.#checkBase(agentId, measured);
        this.#failing.delete(agentId);
      } catch (err) {
        if (this.#failing.has(agentId) || !this.#measured.has(agentId)) continue;
        this.#failing.add(agentId);
        this.#options.log.warn({ err, agentId }, 'could not find out whether the base of a review has moved');
      }
    }
  }

  async #checkBase(agentId: string, known: BaseMeasurement): Promise<void> {
    const found = await this.#read(known).catch((error: unknown) => ({ error }));
    if (found === undefined) return;
    if ('error' in found) {
      // Report it once: the next measurement shows what is wrong, unless the agent is deleted.
      if (!known.isUnreadable)
        await this.#report(agentId, known, { ...known, fingerprint: undefined, isUnreadable: true });
      throw found.error;
    }
    const { isUnreadable, ...readable } = known;
    const now = { ...readable, ...found };
    if (!isUnreadable && now.tips.join() === known.tips.join()) this.#keep(agentId, known, now);
    else await this.#report(agentId, known, now);
  }

  /** The current state of a base; undefined if its files show that it has not moved. */
  async #read({
    at,
    question,
    fingerprint: last,
  }: BaseMeasurement): Promise<Pick<BaseMeasurement, 'fingerprint' | 'tips'> | undefined> {
    const fingerprint = await baseFingerprint(at, question, this.#options.clock.now());
    if (fingerprint !== undefined && fingerprint === last) return undefined;
    return { fingerprint, tips: await baseTips(at, question) };
  }

  /** Reports that a base has moved, and continues with `next` if the agent is still watched. */
  async #report(agentId: string, known: BaseMeasurement, next: BaseMeasurement): Promise<void> {
    const isWatched = await this.#options.report(agentId);
    if (isWatched) this.#keep(agentId, known, next);
    else if (this.#measured.get(agentId) === known) this.forget(agentId);
  }

  /** Replaces `known` with `next`, unless the agent was measured again or forgotten meanwhile. */
  #keep(agentId: string, known: BaseMeasurement, next: BaseMeasurement): void {
    if (this.#measured.get(agentId) === known) this.#measured.set(agentId, next);
  }
}
