import type { EntityManager, EntityName } from '@mikro-orm/sql';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { Failure } from '#contract/failure.ts';
import type { MachineName } from '#contract/machine/machine-name.ts';
import type { DeadlineTable } from '#store/deadline/deadline-table.ts';
import type { FactTable, NewFact } from '#store/fact/fact-table.ts';
import { insertAll } from '#store/kernel/insert-all.ts';
import { rowOf } from '#store/kernel/rows.ts';
import { type ComputedValue, updateRow } from '#store/kernel/update-row.ts';
import type { NewTransition, TransitionTable } from '#store/machine/transition-table.ts';
import { type InstanceRows, instanceEntities } from './instance-entities.ts';

/** The part of a decision that the log of transitions stores in addition to the row. */
type Transition = Pick<NewTransition, 'event' | 'from' | 'to' | 'effects' | 'facts'>;

/** The effects of a decision in addition to the change of its row. */
export interface DecisionOutcome {
  readonly facts?: readonly NewFact[];
  /** By name, in milliseconds from now; null removes one. */
  readonly deadlines?: Readonly<Record<string, number | null>>;
  /** Undefined if the decision is not logged. */
  readonly transition?: Transition | undefined;
}

/** A decision on an instance of a machine. */
export interface InstanceCommit<M extends MachineName> extends DecisionOutcome {
  readonly machine: M;
  /** The row that was decided on. */
  readonly before: InstanceRows[M];
  readonly snapshot: StoredSnapshot;
  /** The columns that change with the snapshot. Undefined ones stay as they are. */
  readonly columns: Columns<M>;
  /** Columns that the database computes. */
  readonly computed?: Readonly<Record<string, ComputedValue>>;
}

/** The columns that a commit may write in addition to the snapshot. */
export type Columns<M extends MachineName> = Partial<Omit<InstanceRows[M], 'id' | 'snapshot' | CommitColumns>>;

/** The columns that each commit sets itself. */
type CommitColumns = 'version' | 'movedSeq';

/** A new instance of a machine. */
export interface NewInstance<M extends MachineName> extends DecisionOutcome {
  readonly row: NewRow<M>;
}

/** A new row. The database has defaults for many columns of agents, and numbers firings. */
export type NewRow<M extends MachineName> = M extends 'agent'
  ? Partial<InstanceRows[M]> & Pick<InstanceRows[M], 'id' | 'snapshot'> & { readonly briefing: string }
  : Omit<InstanceRows[M], CommitColumns | (M extends 'firing' ? 'id' : never)>;

/** The columns that identify a new row, if the database assigns its id. */
const keys: Readonly<Partial<Record<MachineName, readonly (keyof AnyInstance)[]>>> = {
  firing: ['schedule', 'scheduledFor'],
};

interface Parts {
  readonly em: EntityManager;
  readonly facts: FactTable;
  readonly deadlines: DeadlineTable;
  readonly transitions: TransitionTable;
}

/**
 * The one commit of every machine: a row with its snapshot, its entries in the log of transitions and the log of facts,
 * and its deadlines are written together. Nothing else writes a snapshot.
 */
export class InstanceJournal {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The row of an instance. @throws NOT_FOUND */
  async load<M extends MachineName>(machine: M, id: InstanceRows[M]['id']): Promise<InstanceRows[M]> {
    const row: unknown = await rowOf(this.#parts.em, entityOf(machine), { id });
    if (row === undefined)
      throw new Failure('SUBJECT_NOT_FOUND', `There is no ${machine} ${id}`, {
        metadata: { machine, subjectId: String(id) },
      });
    return row as InstanceRows[M];
  }

  /**
   * Saves a decision, all of it or nothing, and returns the resulting row.
   * @throws ABORTED when the row has changed since the decision
   */
  async commit<M extends MachineName>(change: InstanceCommit<M>): Promise<InstanceRows[M]> {
    const { machine, before, snapshot, columns, computed = {}, facts = [], deadlines = {}, transition } = change;
    const { id, version } = before;
    const next = { ...columns, snapshot, version: version + 1 };
    const { em } = this.#parts;
    const place = await this.#parts.facts.append(facts);
    const movedSeq = 'movedSeq' in before ? place : undefined;
    const metadata = em.getMetadata().get(entityOf(machine));
    const written = await updateRow(em, metadata, { id, version }, { ...next, ...computed, movedSeq });
    if (written === undefined) {
      throw new Failure(
        'STALE_VERSION',
        `${machine} ${id} has changed since version ${version}: read it again, then decide again`,
      );
    }
    if (transition) await this.#parts.transitions.append([{ ...transition, machine, subject: String(id), snapshot }]);
    await this.#parts.deadlines.set({ owner: machine, ownerId: String(id) }, deadlines);
    const given = Object.fromEntries(
      Object.entries({ ...next, movedSeq, ...written }).filter(([, value]) => value !== undefined),
    );
    return { ...before, ...given };
  }

  /** Records new instances, except for those that exist already; returns the rows that were written. */
  async begin<M extends MachineName>(
    machine: M,
    instances: readonly NewInstance<M>[],
  ): Promise<readonly InstanceRows[M][]> {
    const { em, facts, transitions, deadlines } = this.#parts;
    const entity = entityOf(machine);
    const movedSeq = (await facts.append(instances.flatMap(({ facts = [] }) => facts))) ?? 0n;
    const counted = { version: 1, ...('movedSeq' in em.getMetadata().get(entity).properties && { movedSeq }) };
    const key = keys[machine] ?? ['id'];
    const rows = instances.map(({ row }) => ({ ...row, ...counted }));
    const ids = new Map((await insertAll(em, entity, rows, ['id', ...key])).map((row) => [keyOf(row, key), row.id]));
    const begun: InstanceRows[M][] = [];
    const saved: NewTransition[] = [];
    for (const { row, transition, deadlines: due = {} } of instances) {
      const id = ids.get(keyOf(row, key));
      // An instance that was given twice is recorded once.
      ids.delete(keyOf(row, key));
      if (id === undefined) continue;
      begun.push({ ...row, ...counted, id } as unknown as InstanceRows[M]);
      if (transition) saved.push({ ...transition, machine, subject: String(id), snapshot: row.snapshot });
      await deadlines.set({ owner: machine, ownerId: String(id) }, due);
    }
    await transitions.append(saved);
    return begun;
  }
}

function keyOf(row: object, key: readonly string[]): string {
  const columns = new Map(Object.entries(row));
  return JSON.stringify(key.map((column) => columns.get(column)));
}

/** What the rows of all machines have, and what identifies firings. */
interface AnyInstance {
  readonly id: string | number;
  readonly version: number;
  readonly snapshot: StoredSnapshot;
  readonly schedule?: string;
  readonly scheduledFor?: number;
}

/** The entity of a machine's rows. MikroORM's types have no common type for rows of several entities. */
function entityOf(machine: MachineName): EntityName<AnyInstance> {
  return instanceEntities[machine] as never;
}
