import type { EntityManager } from '@mikro-orm/sql';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { Clock } from '#contract/clock.ts';
import type { CountedTransition } from '#store/database/measures.ts';
import { Fragment } from '#store/kernel/condition.ts';
import { insertAll } from '#store/kernel/insert-all.ts';
import { type LogPositions, rowBits } from '#store/kernel/log-positions.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { type StoredTransition, TransitionEntity } from './transition-entity.ts';

/**
 * How many transitions of each instance are kept, and after how many transitions of any instance the rest are deleted.
 * A read returns at most as many as are kept.
 */
export const transitionsKept = 200;
const forgetEvery = 16n;
/** How much of an event's data is kept, in characters of JSON. */
const maxDetail = 4_000;

/** A transition that is to be recorded. */
export interface NewTransition {
  readonly machine: string;
  readonly subject: string;
  /** Undefined for a new instance. */
  readonly event: { readonly type: string } | undefined;
  /** Empty for a new instance. */
  readonly from: string;
  readonly to: string;
  readonly snapshot: StoredSnapshot;
  readonly effects: readonly { readonly kind: string }[];
  readonly facts: readonly { readonly kind: string }[];
}

/** Selects transitions: of every machine, of one machine, or of one instance. */
interface TransitionFilter {
  readonly machine?: string | undefined;
  readonly subject?: string | undefined;
}

const columns = [
  'seq',
  'machine',
  'subject',
  'at',
  'event',
  'eventDetail',
  'fromState',
  'toState',
  'effects',
  'facts',
] as const;
const withSnapshot = [...columns, 'snapshot'] as const;

/** The transitions of machines. An event that changed nothing and requested nothing is not recorded. */
export class TransitionTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;
  readonly #positions: LogPositions;
  readonly #appended: CountedTransition[] = [];

  constructor(em: EntityManager, clock: Clock, positions: LogPositions) {
    this.#em = em;
    this.#clock = clock;
    this.#positions = positions;
  }

  /** The transitions that were appended through this object. */
  get appended(): readonly CountedTransition[] {
    return this.#appended;
  }

  /** Records transitions; the oldest of an instance beyond the limit are deleted. */
  async append(transitions: readonly NewTransition[]): Promise<void> {
    const at = this.#clock.now();
    const saved = transitions.filter(
      (transition) => transition.from !== transition.to || transition.effects.length > 0 || transition.facts.length > 0,
    );
    if (saved.length === 0) return;
    const first = await this.#positions.take(saved.length);
    const rows = saved.map(({ machine, subject, event, from, to, snapshot, effects, facts }, row) => ({
      ...(first !== undefined && { seq: first + BigInt(row) }),
      machine,
      subject,
      at,
      event: event?.type ?? '',
      eventDetail: detailOf(event),
      fromState: from,
      toState: to,
      effects: effects.map(({ kind }) => kind),
      facts: facts.map(({ kind }) => kind),
      snapshot,
    }));
    const written = await insertAll(this.#em, TransitionEntity, rows, ['seq', 'machine', 'subject']);
    this.#appended.push(...saved.map(({ machine, from, to }) => ({ machine, from, to })));
    for (const { seq, machine, subject } of written) {
      if (turnOf(BigInt(seq)) % forgetEvery === 0n) await this.#forgetOldest(String(machine), String(subject));
    }
  }

  async #forgetOldest(machine: string, subject: string): Promise<void> {
    const sql = `delete from "transition" where "machine" = ? and "subject_id" = ? and "seq" < ${oldestKept}`;
    await this.#em.execute(sql, [machine, subject, machine, subject]);
  }

  /** A transition with its snapshot. */
  async find(seq: bigint): Promise<StoredTransition | undefined> {
    const [found] = await rowsOf(this.#em, TransitionEntity, { seq }, { limit: 1, columns: withSnapshot });
    return found;
  }

  /** The newest transition of an instance, without its snapshot. */
  async lastOf(machine: string, subject: string): Promise<StoredTransition | undefined> {
    const [last] = await this.before(undefined, 1, { machine, subject });
    return last;
  }

  /** The position of the newest transition that can be read; zero if there is none. */
  lastSeq(): Promise<bigint> {
    return this.#positions.end('moves');
  }

  /** Transitions before a position, newest first; without a position, from the newest one on. */
  before(seq: bigint | undefined, limit: number, of: TransitionFilter): Promise<readonly StoredTransition[]> {
    const where = { ...given(of), ...keptOnly(of), ...(seq === undefined ? {} : { seq: { $lt: seq } }) };
    return rowsOf(this.#em, TransitionEntity, where, { orderBy: { seq: 'desc' }, limit, columns });
  }

  /** Transitions after a position, oldest first. */
  async after(seq: bigint, limit: number, of: TransitionFilter): Promise<readonly StoredTransition[]> {
    const where = { ...given(of), seq: { $gt: seq, ...(await this.#positions.limit('moves')) } };
    return rowsOf(this.#em, TransitionEntity, where, { orderBy: { seq: 'asc' }, limit, columns });
  }

  /** Deletes transitions from before a time; returns how many. */
  async prune(before: number, limit: number): Promise<number> {
    const old = await rowsOf(this.#em, TransitionEntity, { at: { $lt: before } }, { limit, columns: ['seq'] });
    return this.#em.nativeDelete(TransitionEntity, { seq: { $in: old.map(({ seq }) => seq) } });
  }
}

/** A number that increases by one with each row of a transaction, and with each transaction. */
function turnOf(seq: bigint): bigint {
  return seq + (seq >> rowBits);
}

/** The position of the oldest transition of an instance that is kept, by its machine and its id. */
const oldestKept = `coalesce((select "seq" from "transition" where "machine" = ? and "subject_id" = ?
  order by "seq" desc limit 1 offset ${transitionsKept - 1}), 0)`;

/** Limits a read of one instance to the transitions that are kept, even if older ones still exist. */
function keptOnly({ machine, subject }: TransitionFilter): object {
  if (machine === undefined || subject === undefined) return {};
  return { $sql: new Fragment(`"seq" >= ${oldestKept}`, machine, subject) };
}

function given({ machine, subject }: TransitionFilter): { machine?: string; subject?: string } {
  return { ...(machine === undefined ? {} : { machine }), ...(subject === undefined ? {} : { subject }) };
}

/**
 * The data of an event besides its type. It omits screens, which are stored with the state's transition, and long
 * values.
 */
function detailOf(event: object | undefined): string {
  const { type: _type, sighting: _sighting, ...detail } = (event ?? {}) as Record<string, unknown>;
  const text = JSON.stringify(detail);
  if (text.length <= maxDetail) return text;
  const short = Object.entries(detail).filter(([, value]) => JSON.stringify(value ?? null).length < maxDetail / 8);
  return JSON.stringify({ ...Object.fromEntries(short), cut: true });
}
