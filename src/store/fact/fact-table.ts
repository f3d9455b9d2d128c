import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import { insertAll } from '#store/kernel/insert-all.ts';
import type { LogPositions } from '#store/kernel/log-positions.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { FactEntity, type StoredFact } from './fact-entity.ts';
import { countFacts, countUnanswered, type FactCounts, positionBefore } from './facts-since.ts';
import { ForgottenFactsEntity } from './forgotten-facts-entity.ts';

/** A fact that is to be appended. */
export interface NewFact {
  readonly kind: string;
  readonly subjectId: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A fact that a write has appended, and its position in the log. */
export type AppendedFact = Pick<NewFact, 'kind' | 'subjectId'> & { readonly seq: bigint };

/** Selects facts: of one subject, of several, of some kinds, or all. */
interface FactFilter {
  readonly subjectId?: string | undefined;
  readonly subjectIds?: readonly string[] | undefined;
  readonly kinds?: readonly string[] | undefined;
}

/** Which facts may be deleted. */
interface PruneLimits {
  /** Milliseconds since 1970. */
  readonly before: number;
  /** How many of the newest are kept, however old they are. */
  readonly keep: number;
  readonly limit: number;
}

/** The log of facts, without the deleted ones at its old end. */
export class FactTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;
  readonly #positions: LogPositions;
  readonly #appended: AppendedFact[] = [];

  constructor(em: EntityManager, clock: Clock, positions: LogPositions) {
    this.#em = em;
    this.#clock = clock;
    this.#positions = positions;
  }

  /** The facts that were appended through this object, in the order of the log. */
  get appended(): readonly AppendedFact[] {
    return this.#appended;
  }

  /** Appends facts in their order and returns the position of the last one; undefined if there are none. */
  async append(facts: readonly NewFact[]): Promise<bigint | undefined> {
    if (facts.length === 0) return undefined;
    const at = this.#clock.now();
    const first = await this.#positions.take(facts.length);
    const rows = facts.map(({ kind, subjectId, detail }, row) => ({
      ...(first !== undefined && { seq: first + BigInt(row) }),
      kind,
      subjectId,
      detail,
      at,
    }));
    const written = await insertAll(this.#em, FactEntity, rows, ['seq']);
    const positions = written.map(({ seq }) => BigInt(seq)).sort((one, other) => (one < other ? -1 : 1));
    const placed = facts.map(({ kind, subjectId }, row) => ({ kind, subjectId, seq: positions[row] ?? 0n }));
    this.#appended.push(...placed);
    return positions.at(-1);
  }

  /** The position of the newest fact that can be read; zero if there is none. */
  lastSeq(): Promise<bigint> {
    return this.#positions.end('facts');
  }

  /**
   * The log position for a row that must be shown again: that of the last fact appended through this object, or else a
   * new position, or the newest existing one if rows of one position are distinguished.
   */
  async newest(): Promise<bigint> {
    const last = this.#appended.at(-1);
    return last?.seq ?? (await this.#positions.take(1)) ?? this.lastSeq();
  }

  /** The position of the oldest fact that is kept; undefined if there is none. */
  async firstSeq(): Promise<bigint | undefined> {
    const [first] = await rowsOf(this.#em, FactEntity, {}, { orderBy: { seq: 'asc' }, limit: 1, columns: ['seq'] });
    return first?.seq;
  }

  /** Whether every fact after a position is still there. */
  async reaches(seq: bigint): Promise<boolean> {
    const forgotten = await rowOf(this.#em, ForgottenFactsEntity, {});
    return seq >= (forgotten?.upTo ?? 0n);
  }

  /**
   * Deletes the oldest facts, of those that were written before a time and are not among the newest; returns how many.
   */
  async prune({ before, keep, limit }: PruneLimits): Promise<number> {
    const end = await this.#oldestKept(keep);
    const oldest = await rowsOf(this.#em, FactEntity, {}, { orderBy: { seq: 'asc' }, limit, columns: ['seq', 'at'] });
    const kept = oldest.findIndex(({ seq, at }) => (end !== undefined && seq >= end) || at >= before);
    const last = (kept < 0 ? oldest : oldest.slice(0, kept)).at(-1);
    if (last === undefined) return 0;
    await this.#em.nativeUpdate(ForgottenFactsEntity, {}, { upTo: last.seq });
    return this.#em.nativeDelete(FactEntity, { seq: { $lte: last.seq } });
  }

  /** The position of the oldest of the `keep` newest facts; undefined if none is to be kept. */
  async #oldestKept(keep: number): Promise<bigint | undefined> {
    if (keep === 0) return undefined;
    const [found] = await this.#em.execute<{ seq: bigint | number }[]>(
      'select "seq" from "fact" order by "seq" desc limit 1 offset ?',
      [keep - 1],
    );
    return BigInt(found?.seq ?? 0);
  }

  /** Facts of one kind after a position and up to another, oldest first. */
  ofKind(kind: string, after: bigint, upTo: bigint): Promise<readonly StoredFact[]> {
    return rowsOf(this.#em, FactEntity, { kind, seq: { $gt: after, $lte: upTo } }, { orderBy: { seq: 'asc' } });
  }

  /** The position after which the facts of a time on are, in milliseconds since 1970. */
  async positionBefore(time: number): Promise<bigint> {
    return positionBefore(this.#em, time, await this.lastSeq());
  }

  /** How many facts of some kinds there are about subjects after a position. */
  async countAfter(after: bigint, subjectIds: readonly string[], kinds: readonly string[]): Promise<FactCounts> {
    return countFacts(this.#em, { after, upTo: await this.lastSeq() }, subjectIds, kinds);
  }

  /** How many questions of agents after a position no rule answered, by agent. */
  async countUnanswered(after: bigint, agentIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return countUnanswered(this.#em, { after, upTo: await this.lastSeq() }, agentIds);
  }

  /** Facts after a position, oldest first. */
  async after(
    seq: bigint,
    limit: number,
    { subjectId, subjectIds, kinds }: FactFilter = {},
  ): Promise<readonly StoredFact[]> {
    const of = {
      ...(subjectId === undefined ? {} : { subjectId }),
      ...(subjectIds === undefined ? {} : { subjectId: { $in: [...subjectIds] } }),
      ...(kinds === undefined ? {} : { kind: { $in: [...kinds] } }),
    };
    const where = { seq: { $gt: seq, ...(await this.#positions.limit('facts')) }, ...of };
    return rowsOf(this.#em, FactEntity, where, { orderBy: { seq: 'asc' }, limit });
  }

  /**
   * Facts before a position, newest first; without one, from the newest on. `after` is a position where it ends, which it
   * does not contain.
   */
  async before(
    seq: bigint | undefined,
    limit: number,
    { subjectId, kinds, after }: Pick<FactFilter, 'subjectId' | 'kinds'> & { readonly after?: bigint } = {},
  ): Promise<readonly StoredFact[]> {
    const places = { ...(seq === undefined ? {} : { $lt: seq }), ...(after === undefined ? {} : { $gt: after }) };
    const of = {
      ...(subjectId === undefined ? {} : { subjectId }),
      ...(kinds === undefined ? {} : { kind: { $in: [...kinds] } }),
      ...(Object.keys(places).length === 0 ? {} : { seq: places }),
    };
    return rowsOf(this.#em, FactEntity, of, { orderBy: { seq: 'desc' }, limit });
  }
}
