import type { Log } from '#contract/process-context.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import type { GitDirectory } from '#world/git/git-directory.ts';
import { baseMark } from '#world/git/review/base-mark.ts';
import { type BaseQuestion, baseTips } from '#world/git/review/round-base.ts';

/** How often the files of bases are looked at, in milliseconds; git is asked only where they have moved. */
const lookMs = 5_000;

export interface BaseWatchOptions {
  /** Tells that the base of an agent's work has moved; answers whether the agent is still to be watched. */
  readonly tell: (agentId: string) => Promise<boolean>;
  readonly clock: Timer;
  readonly log: Log;
}

/** A base as a worktree was measured against it. */
interface Measured {
  readonly at: GitDirectory;
  readonly question: BaseQuestion;
  readonly tips: readonly string[];
  readonly mark: string | undefined;
}

/** Watches the bases that agents' worktrees were measured against, and tells of each that moves. */
export class BaseWatch {
  readonly #options: BaseWatchOptions;
  readonly #measured = new Map<string, Measured>();
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
    // Marked before it is read: what moves meanwhile shows at the next look.
    const mark = await baseMark(at, question, this.#options.clock.now());
    const result = await measure();
    this.#measured.set(agentId, { at, question, tips: result.tips, mark });
    return result;
  }

  /** Watches nothing for an agent any more. */
  forget(agentId: string): void {
    this.#measured.delete(agentId);
  }

  /** Looks now and then until it is stopped. */
  start(): void {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    const run = async (): Promise<void> => {
      while (!signal.aborted) {
        await clock.sleep(lookMs, signal);
        await this.look();
      }
    };
    run().catch((err: unknown) => {
      if (!signal.aborted) log.error({ err }, 'bases are watched no more');
    });
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Looks at each base once. */
  async look(): Promise<void> {
    const { log } = this.#options;
    for (const [agentId, measured] of this.#measured) {
      await this.#lookAt(agentId, measured).catch((err: unknown) =>
        log.warn({ err, agentId }, 'it is not known whether the base of a review has moved'),
      );
    }
  }

  async #lookAt(agentId: string, known: Measured): Promise<void> {
    const { tell, clock } = this.#options;
    const { at, question } = known;
    const mark = await baseMark(at, question, clock.now());
    if (mark !== undefined && mark === known.mark) return;
    const tips = await baseTips(at, question);
    const isSame = tips.join() === known.tips.join();
    const isWatched = isSame || (await tell(agentId));
    // It may have been measured anew meanwhile.
    if (this.#measured.get(agentId) !== known) return;
    if (isWatched) this.#measured.set(agentId, { at, question, tips, mark });
    else this.#measured.delete(agentId);
  }
}
