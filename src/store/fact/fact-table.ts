import type { EntityManager } from '@mikro-orm/sql';
import type { Clock } from '#contract/clock.ts';
import { insertAll } from '#store/kernel/insert-all.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { FactEntity, type StoredFact } from './fact-entity.ts';

/** A fact that is to be recorded. */
export interface NewFact {
  readonly kind: string;
  readonly subjectId: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A fact that a write has appended, and its position in the log. */
export type AppendedFact = Pick<NewFact, 'kind' | 'subjectId'> & { readonly seq: number };

/** Which facts are meant: of one subject, of some kinds, or all. */
interface Of {
  readonly subjectId?: string | undefined;
  readonly kinds?: readonly string[] | undefined;
}

/** Which facts may be forgotten. */
interface FactsToForget {
  /** Milliseconds since 1970. */
  readonly before: number;
  /** How many of the newest are kept however old they are. */
  readonly keep: number;
  readonly limit: number;
}

/** The log of what happened, without what was forgotten at its old end. */
export class FactTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;
  readonly #appended: AppendedFact[] = [];

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** The facts that were appended through this object, in the order of the log. */
  get appended(): readonly AppendedFact[] {
    return this.#appended;
  }

  /** Records facts  in their order and returns the place of the last one; undefined if there are none. */
  async append(facts: readonly NewFact[]): Promise<bigint | undefined> {
    if (facts.length === 0) return undefined;
    const at = this.#clock.now();
    const rows = facts.map(({ kind, subjectId, detail }) => ({ kind, subjectId, detail, at }));
    const written = await insertAll(this.#em, FactEntity, rows, ['seq']);
    const places = written.map(({ seq }) => Number(seq)).sort((one, other) => one - other);
    const placed = facts.map(({ kind, subjectId }, at) => ({ kind, subjectId, seq: places[at] ?? 0 }));
    this.#appended.push(...placed);
    return BigInt(Math.max(...places));
  }

  /** The position of the newest fact; zero if there is none. */
  async lastSeq(): Promise<bigint> {
    const [last] = await rowsOf(this.#em, FactEntity, {}, { orderBy: { seq: 'desc' }, limit: 1, columns: ['seq'] });
    return last?.seq ?? 0n;
  }

  /** The position of the last fact that was appended through this object, or else of the newest that there is. */
  async newest(): Promise<bigint> {
    const last = this.#appended.at(-1);
    return last === undefined ? this.lastSeq() : BigInt(last.seq);
  }

  /** The position of the oldest fact that is kept; undefined if there is none. */
  async firstSeq(): Promise<bigint | undefined> {
    const [first] = await rowsOf(this.#em, FactEntity, {}, { orderBy: { seq: 'asc' }, limit: 1, columns: ['seq'] });
    return first?.seq;
  }

  /**
   * Forgets the oldest facts of those that were written before a time and are not among the newest; returns how many.
   */
  async prune({ before, keep, limit }: FactsToForget): Promise<number> {
    const end = (await this.lastSeq()) - BigInt(keep);
    const oldest = await rowsOf(this.#em, FactEntity, {}, { orderBy: { seq: 'asc' }, limit, columns: ['seq', 'at'] });
    const kept = oldest.findIndex(({ seq, at }) => seq > end || at >= before);
    const last = (kept < 0 ? oldest : oldest.slice(0, kept)).at(-1);
    return last === undefined ? 0 : this.#em.nativeDelete(FactEntity, { seq: { $lte: last.seq } });
  }

  /** Facts of one kind after a place and up to another, oldest first. */
  ofKind(kind: string, after: bigint, upTo: bigint): Promise<readonly StoredFact[]> {
    return rowsOf(this.#em, FactEntity, { kind, seq: { $gt: after, $lte: upTo } }, { orderBy: { seq: 'asc' } });
  }

  /** Facts after a place, oldest first. */
  async after(seq: bigint, limit: number, { subjectId, kinds }: Of = {}): Promise<readonly StoredFact[]> {
    const of = {
      ...(subjectId === undefined ? {} : { subjectId }),
      ...(kinds === undefined ? {} : { kind: { $in: [...kinds] } }),
    };
    return rowsOf(this.#em, FactEntity, { seq: { $gt: seq }, ...of }, { orderBy: { seq: 'asc' }, limit });
  }

  /** Facts before a place, newest first; without a place from the newest one on. */
  async before(
    seq: bigint | undefined,
    limit: number,
    { subjectId }: Pick<Of, 'subjectId'> = {},
  ): Promise<readonly StoredFact[]> {
    const of = {
      ...(subjectId === undefined ? {} : { subjectId }),
      ...(seq === undefined ? {} : { seq: { $lt: seq } }),
    };
    return rowsOf(this.#em, FactEntity, of, { orderBy: { seq: 'desc' }, limit });
  }
}
