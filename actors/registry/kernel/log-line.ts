import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { LogName } from '#store/kernel/log-positions.ts';
import type { StoredGeneration } from '#store/log/generation-entity.ts';
import type { Tables } from '#store/tables.ts';
import { badCursor } from './cursor.ts';

/** A position in a log, and the generation that issued it. */
export interface LogPlace {
  readonly log: string;
  readonly seq: string;
}

/**
 * Distinguishes positions in this database's logs from those in a log that it does not continue. After a restore,
 * cursors issued since the backup refer to entries that this database does not have, even once its log has grown past
 * them. So each generation is stored with where the logs ended when it began, and a position is valid up to the next
 * generation. With SQLite each start of the registry begins a generation; registries that share a database share its
 * generations.
 */
export class LogLine {
  readonly #generations: readonly StoredGeneration[];

  private constructor(generations: readonly StoredGeneration[]) {
    this.#generations = generations;
  }

  /** Begins a generation, if this start needs one, and reads all of them. `id` must be unique to this start. */
  static async begin({ generations }: Pick<Tables, 'generations'>, id: string): Promise<LogLine> {
    await generations.begin(id);
    return new LogLine(await generations.all());
  }

  /** The id of the current generation, which cursors contain. */
  get name(): string {
    return this.#generations.at(-1)?.id ?? '';
  }

  /** Whether a position belongs to this log. */
  holds(log: LogName, { log: id, seq }: LogPlace): boolean {
    const at = this.#generations.findIndex((one) => one.id === id);
    const next = this.#generations[at + 1];
    return at >= 0 && (next === undefined || BigInt(seq) <= next[log]);
  }

  /**
   * The sequence number of a position in this log. `newest` is the log's last sequence number.
   * @throws OUT_OF_RANGE when the position belongs to another log; INVALID_ARGUMENT when it is ahead of this log
   */
  require(log: LogName, place: LogPlace, newest: bigint, cursor: string): bigint {
    if (!this.holds(log, place)) throw databaseReplaced(cursor);
    const seq = BigInt(place.seq);
    if (seq > newest) throw badCursor(cursor, 'is ahead of the log');
    return seq;
  }
}

function databaseReplaced(cursor: string): Failure {
  return new Failure(
    'LOG_REPLACED',
    `The cursor ${quoted(cursor, 40)} belongs to a log that this one does not continue, for example after a restore: ` +
      'read the current state, and continue without a cursor',
  );
}
