import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { LogName } from '#store/kernel/log-places.ts';
import type { StoredGeneration } from '#store/log/generation-entity.ts';
import type { Tables } from '#store/store.ts';
import { badCursor } from './cursor.ts';

/** A place in a log, and the beginning that it was issued under. */
export interface LogPlace {
  readonly log: string;
  readonly seq: string;
}

/**
 * Distinguishes the places of this database's logs from those of a log that it does not continue: when a copy of the
 * database was put back, cursors issued since the copy was made stand for what never happened here, also once the log
 * has grown past them. Each beginning is noted with where the logs ended then; a place issued under one is valid up to the
 * next. With SQLite each start of the registry is one; registries that share a database share theirs.
 */
export class LogLine {
  readonly #generations: readonly StoredGeneration[];

  private constructor(generations: readonly StoredGeneration[]) {
    this.#generations = generations;
  }

  /** Notes a start of the registry, and knows the beginnings before. `id` must be given to no other start. */
  static async begin({ generations }: Pick<Tables, 'generations'>, id: string): Promise<LogLine> {
    await generations.begin(id);
    return new LogLine(await generations.all());
  }

  /** What a cursor holds beside its place. */
  get name(): string {
    return this.#generations.at(-1)?.id ?? '';
  }

  /** Whether a place is one of this log. */
  holds(log: LogName, { log: id, seq }: LogPlace): boolean {
    const at = this.#generations.findIndex((one) => one.id === id);
    const next = this.#generations[at + 1];
    return at >= 0 && (next === undefined || BigInt(seq) <= next[log]);
  }

  /**
   * The place, if it is one of this log, whose newest is given.
   * @throws OUT_OF_RANGE for one of another log; INVALID_ARGUMENT for one that is ahead of this one
   */
  require(log: LogName, place: LogPlace, newest: bigint, cursor: string): bigint {
    if (!this.holds(log, place)) throw ofAnotherLog(cursor);
    const seq = BigInt(place.seq);
    if (seq > newest) throw badCursor(cursor, 'is ahead of the log');
    return seq;
  }
}

function ofAnotherLog(cursor: string): Failure {
  return new Failure(
    'LOG_REPLACED',
    `The cursor ${quoted(cursor, 40)} belongs to a log that this one does not continue, for example after a restore: ` +
      'read the current state, and continue without a cursor',
  );
}
