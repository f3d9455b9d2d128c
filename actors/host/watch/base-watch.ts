import type { Log } from '#contract/process-context.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { baseMark } from '#world/git/review/base-mark.ts';
import { type BaseQuestion, baseTips } from '#world/git/review/round-base.ts';

/** How often the files of bases are looked at, in milliseconds; git is asked only if they have moved. */
const lookMs = 5_000;

export interface BaseWatchOptions {
  /** Reports that the base of an agent's work has moved; returns whether to keep watching the agent. */
  readonly report: (agentId: string) => Promise<boolean>;
  readonly clock: Timer;
  readonly log: Log;
}

/** A base as a worktree was measured against it. */
interface Measured {
  readonly at: GitDirectory;
  readonly question: BaseQuestion;
  readonly tips: readonly string[];
  readonly mark: string | undefined;
  /** Whether it could not be read when it was looked at last, as when the repository is gone. */
  readonly isUnreadable?: true;
}

/** Watches the bases that agents' worktrees were measured against, and reports each one that moves. */
export class BaseWatch {
  readonly #options: BaseWatchOptions;
  readonly #measured = new Map<string, Measured>();
  /** The newest measuring of each agent that is in progress. */
  readonly #measuring = new Map<string, symbol>();
  /** Agents whose look failed last, which has been said. */
  readonly #failing = new Set<string>();
  readonly #stop = new AbortController();

  constructor(options: BaseWatchOptions) {
    this.#options = options;
  }

  /** Measures an agent's worktree, and watches from then on the base that it was measured against. */
  async over<Result extends { readonly tips: readonly string[] }>(
    agentId: string,
    { at, question }: { readonly at: GitDirectory; readonly question: BaseQuestion },
    measure: () => Promise<Result>,
  ): Promise<Result> {
    const own = Symbol(agentId);
    this.#measuring.set(agentId, own);
    try {
      // Marked before it is read: what moves meanwhile shows at the next look.
      const mark = await baseMark(at, question, this.#options.clock.now());
      const result = await measure();
      // Forgotten meanwhile, an agent is gone; measured again, the newer one counts.
      if (this.#measuring.get(agentId) === own) {
        this.#measured.set(agentId, { at, question, tips: result.tips, mark });
      }
      return result;
    } finally {
      if (this.#measuring.get(agentId) === own) this.#measuring.delete(agentId);
    }
  }

  /** Watches nothing for an agent any more. */
  forget(agentId: string): void {
    this.#measured.delete(agentId);
    this.#measuring.delete(agentId);
    this.#failing.delete(agentId);
  }

  /** Looks now and then until it is stopped. */
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

  /** Looks at each base once. What fails again and again is said once. */
  async check(): Promise<void> {
    for (const [agentId, measured] of this.#measured) {
      try {
        await this.#lookAt(agentId, measured);
        this.#failing.delete(agentId);
      } catch (err) {
        if (this.#failing.has(agentId) || !this.#measured.has(agentId)) continue;
        this.#failing.add(agentId);
        this.#options.log.warn({ err, agentId }, 'could not find out whether the base of a review has moved');
      }
    }
  }

  async #lookAt(agentId: string, known: Measured): Promise<void> {
    const found = await this.#read(known).catch((error: unknown) => ({ error }));
    if (found === undefined) return;
    if ('error' in found) {
      // Whoever measures it again sees what is wrong; of an agent that is gone nothing is.
      if (!known.isUnreadable) await this.#report(agentId, known, { ...known, mark: undefined, isUnreadable: true });
      throw found.error;
    }
    const { isUnreadable, ...readable } = known;
    const now = { ...readable, ...found };
    if (!isUnreadable && now.tips.join() === known.tips.join()) this.#keep(agentId, known, now);
    else await this.#report(agentId, known, now);
  }

  /** The current state of a base; undefined if its files show that it has not moved. */
  async #read({ at, question, mark: last }: Measured): Promise<Pick<Measured, 'mark' | 'tips'> | undefined> {
    const mark = await baseMark(at, question, this.#options.clock.now());
    if (mark !== undefined && mark === last) return undefined;
    return { mark, tips: await baseTips(at, question) };
  }

  /** Reports that a base has moved, and watches on as `next` if the agent is still to be watched. */
  async #report(agentId: string, known: Measured, next: Measured): Promise<void> {
    const isWatched = await this.#options.report(agentId);
    if (isWatched) this.#keep(agentId, known, next);
    else if (this.#measured.get(agentId) === known) this.forget(agentId);
  }

  /** It may have been measured again meanwhile, or forgotten. */
  #keep(agentId: string, known: Measured, next: Measured): void {
    if (this.#measured.get(agentId) === known) this.#measured.set(agentId, next);
  }
}
