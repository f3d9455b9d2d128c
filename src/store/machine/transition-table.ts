import type { EntityManager } from '@mikro-orm/sqlite';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { Clock } from '#contract/clock.ts';
import type { Move } from '#store/database/measures.ts';
import { insertAll } from '#store/kernel/insert-all.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { type StoredTransition, TransitionEntity } from './transition-entity.ts';

/** How many moves of each life are kept. */
export const transitionsKept = 200;
/** How much of what an event said is kept, in characters of JSON. */
const mostDetail = 4_000;

/** A move that is to be written down. */
export interface NewTransition {
  readonly machine: string;
  readonly subject: string;
  /** Undefined for the beginning of a life. */
  readonly event: { readonly type: string } | undefined;
  /** Empty for the beginning of a life. */
  readonly from: string;
  readonly to: string;
  readonly snapshot: StoredSnapshot;
  readonly effects: readonly { readonly kind: string }[];
  readonly facts: readonly { readonly kind: string }[];
}

/** A life that begins, and asks for nothing yet. */
type Birth = Pick<NewTransition, 'subject' | 'to' | 'snapshot'>;

/** Which moves are meant: of every machine, of one, of one life. */
interface Of {
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

/** The moves of machines. An event that moved nothing and asked for nothing is none. */
export class TransitionTable {
  readonly #em: EntityManager;
  readonly #clock: Clock;
  readonly #appended: Move[] = [];

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  /** The moves that were appended through this object. */
  get appended(): readonly Move[] {
    return this.#appended;
  }

  /** Writes a move down; the oldest of the same life go where there are more than are kept. */
  async append({ machine, subject, event, from, to, snapshot, effects, facts }: NewTransition): Promise<void> {
    if (from === to && effects.length === 0 && facts.length === 0) return;
    const row = {
      machine,
      subject,
      at: this.#clock.now(),
      event: event?.type ?? '',
      eventDetail: detailOf(event),
      fromState: from,
      toState: to,
      effects: JSON.stringify(effects.map(({ kind }) => kind)),
      facts: JSON.stringify(facts.map(({ kind }) => kind)),
      snapshot: JSON.stringify(snapshot),
    };
    await insertAll(this.#em, TransitionEntity, [row], ['seq']);
    this.#appended.push({ machine, from, to });
    await this.#em.execute(
      'delete from "transition" where "machine" = ? and "subject_id" = ? and "seq" <= ' +
        '(select "seq" from "transition" where "machine" = ? and "subject_id" = ? order by "seq" desc limit 1 offset ?)',
      [machine, subject, machine, subject, transitionsKept],
    );
  }

  /** Writes down how lives of a machine that have only begun did so, however many they are. */
  async appendBirths(machine: string, births: readonly Birth[]): Promise<void> {
    const at = this.#clock.now();
    const rows = births.map(({ subject, to, snapshot }) => ({
      machine,
      subject,
      at,
      event: '',
      eventDetail: '{}',
      fromState: '',
      toState: to,
      effects: '[]',
      facts: '[]',
      snapshot: JSON.stringify(snapshot),
    }));
    await insertAll(this.#em, TransitionEntity, rows, ['seq']);
  }

  /** A move with its snapshot. */
  async find(seq: bigint): Promise<StoredTransition | undefined> {
    const [found] = await rowsOf(this.#em, TransitionEntity, { seq }, { limit: 1, columns: withSnapshot });
    return found;
  }

  /** The newest move of a life, without its snapshot. */
  async lastOf(machine: string, subject: string): Promise<StoredTransition | undefined> {
    const [last] = await this.before(undefined, 1, { machine, subject });
    return last;
  }

  /** The place of the newest move; zero where there is none. */
  async lastSeq(): Promise<bigint> {
    const order = { seq: 'desc' } as const;
    const [last] = await rowsOf(this.#em, TransitionEntity, {}, { orderBy: order, limit: 1, columns: ['seq'] });
    return last?.seq ?? 0n;
  }

  /** Moves before a place, newest first; without a place from the newest one on. */
  before(seq: bigint | undefined, limit: number, of: Of): Promise<readonly StoredTransition[]> {
    const where = { ...given(of), ...(seq === undefined ? {} : { seq: { $lt: seq } }) };
    return rowsOf(this.#em, TransitionEntity, where, { orderBy: { seq: 'desc' }, limit, columns });
  }

  /** Moves after a place, oldest first. */
  after(seq: bigint, limit: number, of: Of): Promise<readonly StoredTransition[]> {
    const where = { ...given(of), seq: { $gt: seq } };
    return rowsOf(this.#em, TransitionEntity, where, { orderBy: { seq: 'asc' }, limit, columns });
  }

  /** Forgets moves from before a time; gives how many. */
  async prune(before: number, limit: number): Promise<number> {
    const old = await rowsOf(this.#em, TransitionEntity, { at: { $lt: before } }, { limit, columns: ['seq'] });
    return this.#em.nativeDelete(TransitionEntity, { seq: { $in: old.map(({ seq }) => seq) } });
  }
}

function given({ machine, subject }: Of): { machine?: string; subject?: string } {
  return { ...(machine === undefined ? {} : { machine }), ...(subject === undefined ? {} : { subject }) };
}

/** What an event said beside its type. A screen is kept with the move of the state, and what is long is left out. */
function detailOf(event: object | undefined): string {
  const { type: _type, sighting: _sighting, ...detail } = (event ?? {}) as Record<string, unknown>;
  const text = JSON.stringify(detail);
  if (text.length <= mostDetail) return text;
  const short = Object.entries(detail).filter(([, value]) => JSON.stringify(value ?? null).length < mostDetail / 8);
  return JSON.stringify({ ...Object.fromEntries(short), cut: true });
}
