import type { EntityManager } from '@mikro-orm/sqlite';
import type { Clock } from '#contract/clock.ts';
import { FactEntity, type StoredFact } from './fact-entity.ts';
import { fresh } from './fresh.ts';

/** Something that happened and is to be written down. */
export interface NewFact {
  readonly kind: string;
  readonly subjectId: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Which facts are meant: of one subject, or all. */
interface Of {
  readonly subjectId?: string | undefined;
}

/** The log of what happened. */
export class FactTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;
  #appended = 0;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** How many facts were appended through this object. */
  get appended(): number {
    return this.#appended;
  }

  /** Writes facts down in their order and gives the place of the last one; undefined where there are none. */
  async append(facts: readonly NewFact[]): Promise<bigint | undefined> {
    let last: bigint | undefined;
    const at = this.#clock.now();
    for (const { kind, subjectId, detail } of facts) {
      last = BigInt(await this.#em.insert(FactEntity, { kind, subjectId, detail, at }));
      this.#appended += 1;
    }
    return last;
  }

  /** The place of the newest fact; zero where there is none. */
  async lastSeq(): Promise<bigint> {
    const [last] = await this.#em.find(FactEntity, {}, { ...fresh, orderBy: { seq: 'desc' }, limit: 1 });
    return last?.seq ?? 0n;
  }

  /** Facts after a place, oldest first. */
  async after(seq: bigint, limit: number, { subjectId }: Of = {}): Promise<readonly StoredFact[]> {
    const of = subjectId === undefined ? {} : { subjectId };
    return this.#em.find(FactEntity, { seq: { $gt: seq }, ...of }, { ...fresh, orderBy: { seq: 'asc' }, limit });
  }

  /** Facts before a place, newest first; without a place from the newest one on. */
  async before(seq: bigint | undefined, limit: number, { subjectId }: Of = {}): Promise<readonly StoredFact[]> {
    const of = {
      ...(subjectId === undefined ? {} : { subjectId }),
      ...(seq === undefined ? {} : { seq: { $lt: seq } }),
    };
    return this.#em.find(FactEntity, of, { ...fresh, orderBy: { seq: 'desc' }, limit });
  }
}
