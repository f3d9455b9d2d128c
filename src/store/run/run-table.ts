import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import type { RunScript, RunState } from '#contract/run-log.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { RunEntity, type StoredRun } from './run-entity.ts';

/** How many runs of each agent are kept. */
export const runsKept = 100;
/** How many characters of a run's output listings show. */
const tailLength = 2_000;

/** A run that begins. */
interface NewRun {
  readonly effect: string;
  readonly agent: string;
  readonly host: string;
  readonly script: RunScript;
}

/** The output of a run so far. */
export interface RunOutput {
  readonly output: string;
  readonly cut: boolean;
}

/** How a run ended. `reason` is empty if it did not fail. */
export interface RunEnd {
  readonly failed: boolean;
  readonly reason: string;
}

const running: RunState = 'RUN_STATE_RUNNING';

/** Which runs are listed. */
export interface RunFilter {
  readonly agent?: string | undefined;
  /** Only those that failed and were not acknowledged. */
  readonly failed?: boolean | undefined;
}

/** The runs of workflows' scripts. */
export class RunTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** Records that a run begins, or starts over after a crash. The agent's oldest runs beyond the limit are deleted. */
  async begin(run: NewRun): Promise<void> {
    const fresh = {
      host: run.host,
      startedAt: this.#clock.now(),
      endedAt: null,
      state: running,
      reason: '',
      tail: '',
      output: '',
      outputCut: false,
    };
    const again = await this.#em.nativeUpdate(RunEntity, { effect: run.effect, agent: run.agent }, fresh);
    if (again > 0) return;
    await this.#em.insert(RunEntity, { ...run, ...fresh, acknowledgedAt: null } as never);
    await this.#prune(run.agent);
  }

  /** Records the output of a run, and how it ended if it did. */
  async write(id: number, { output, cut }: RunOutput, end?: RunEnd): Promise<void> {
    await this.#em.nativeUpdate(
      RunEntity,
      { id },
      {
        output,
        outputCut: cut,
        tail: output.slice(-tailLength),
        ...(end ? this.#ended(end.failed ? 'RUN_STATE_FAILED' : 'RUN_STATE_SUCCEEDED', end.reason) : {}),
      },
    );
  }

  /** Cancels an agent's runs of effects that are no longer wanted, and returns them as they were. */
  async cancel(agent: string, effects: readonly string[]): Promise<readonly StoredRun[]> {
    if (effects.length === 0) return [];
    const unwanted = { agent, effect: { $in: [...effects] }, state: running };
    const found = await rowsOf(this.#em, RunEntity, unwanted);
    if (found.length === 0) return found;
    const ended = this.#ended('RUN_STATE_CALLED_OFF', 'cancelled: it was no longer needed');
    await this.#em.nativeUpdate(RunEntity, unwanted, ended);
    return found;
  }

  find(id: number): Promise<StoredRun | undefined> {
    return rowOf(this.#em, RunEntity, { id });
  }

  /** The run of an agent that an effect requested, if it is in progress. */
  underWay(agent: string, effect: string): Promise<StoredRun | undefined> {
    return rowOf(this.#em, RunEntity, { agent, effect, state: running });
  }

  /** A run with all of its output. */
  async whole(id: number): Promise<StoredRun | undefined> {
    const run = await this.find(id);
    if (run === undefined) return undefined;
    const [text] = await rowsOf(this.#em, RunEntity, { id }, { columns: ['output'] });
    return { ...run, output: text?.output ?? '' };
  }

  /** Runs, newest first, before an id. */
  async page({ agent, failed }: RunFilter, before: number | undefined, limit: number): Promise<readonly StoredRun[]> {
    const where = {
      ...(agent === undefined ? {} : { agent }),
      ...(failed ? { state: 'RUN_STATE_FAILED' as const, acknowledgedAt: null } : {}),
      ...(before === undefined ? {} : { id: { $lt: before } }),
    };
    return rowsOf(this.#em, RunEntity, where, { orderBy: { id: 'desc' }, limit });
  }

  /** Records that a failure was acknowledged. */
  async acknowledge(id: number): Promise<void> {
    await this.#em.nativeUpdate(RunEntity, { id, acknowledgedAt: null }, { acknowledgedAt: this.#clock.now() });
  }

  /** Records that failures of one script of an agent no longer need an acknowledgement. */
  async clearFailure(agent: string, script: RunScript): Promise<void> {
    const failed = { agent, script, state: 'RUN_STATE_FAILED', acknowledgedAt: null } as const;
    await this.#em.nativeUpdate(RunEntity, failed, { acknowledgedAt: this.#clock.now() });
  }

  /** Deletes all runs of an agent. */
  async forget(agent: string): Promise<void> {
    await this.#em.nativeDelete(RunEntity, { agent });
  }

  #ended(state: RunState, reason: string) {
    return { state, reason, endedAt: this.#clock.now() };
  }

  async #prune(agent: string): Promise<void> {
    const order = { id: 'desc' } as const;
    const newest = await rowsOf(this.#em, RunEntity, { agent }, { orderBy: order, limit: runsKept, columns: ['id'] });
    const oldest = newest.at(-1)?.id;
    if (newest.length === runsKept && oldest !== undefined) {
      await this.#em.nativeDelete(RunEntity, { agent, id: { $lt: oldest } });
    }
  }
}
