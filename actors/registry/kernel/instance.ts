import { commitOver } from '#actors/loop.ts';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { Failure } from '#contract/failure.ts';
import type { MachineName } from '#contract/machine/machine-name.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import {
  type AnyMachine,
  begin,
  type Decision,
  decide,
  type EventOf,
  type FactDraft,
  type InputOf,
  type MachineDefinition,
} from '#machines/decide.ts';
import type { NewFact } from '#store/fact/fact-table.ts';
import type { InstanceRows } from '#store/instance/instance-entities.ts';
import type { Columns, DecisionOutcome, InstanceCommit, NewRow } from '#store/instance/instance-journal.ts';
import type { Tables } from '#store/tables.ts';

/** The tables of a transaction, and the time of all that it writes. */
export interface WriteContext {
  readonly tables: Tables;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A kind of stored machine instance: its machine, and how its decisions appear in its row and in the logs. */
export interface Kind<M extends MachineName, Machine extends AnyMachine> {
  readonly machine: M;
  readonly definition: MachineDefinition<Machine>;
  /** The columns that are derived from a snapshot. `before` is the row until then. */
  readonly columns: (snapshot: StoredSnapshot, now: number, before: InstanceRows[M]) => Columns<M>;
  /** A fact of the machine as the log of facts stores it. */
  readonly toFact: (fact: FactDraft, row: InstanceRows[M]) => NewFact;
  /** Whether the logs get the facts and the transition of an event. By default they get all. */
  readonly isLogged?: (
    tables: Tables,
    row: InstanceRows[M],
    event: EventOf<Machine>,
    decision: Decision,
  ) => boolean | Promise<boolean>;
}

/**
 * Sends an event to an instance, and commits row, logs and deadlines together. Every transition of an instance goes
 * through here. `noted` holds other columns to write with it. Returns the new row; undefined, without a write, if the
 * event is not possible in its state.
 */
export async function advanceInstance<M extends MachineName, Machine extends AnyMachine>(
  { tables, now }: WriteContext,
  kind: Kind<M, Machine>,
  start: InstanceRows[M],
  event: EventOf<Machine>,
  noted: Columns<M> = {},
): Promise<InstanceRows[M] | undefined> {
  const { machine, definition, columns, isLogged = () => true } = kind;
  const records = {
    reload: ({ id }: InstanceRows[M]) => tables.instances.load(machine, id),
    commit: (change: InstanceCommit<M>) => tables.instances.commit(change),
  };
  const { record, accepted } = await commitOver(
    records,
    start,
    async (before): Promise<InstanceCommit<M> | undefined> => {
      const decision = decide(definition, before.snapshot, event);
      if (decision === undefined) return undefined;
      const { snapshot } = decision;
      const change = { machine, before, snapshot, columns: { ...noted, ...columns(snapshot, now, before) } };
      const isQuiet = !(await isLogged(tables, before, event, decision));
      const from = phaseOf(before.snapshot.value);
      return { ...change, ...outcomeOf({ decision, event, from, isQuiet }, (fact) => kind.toFact(fact, before)) };
    },
  );
  return accepted ? record : undefined;
}

/** Saves a new instance and returns its row. The logs skip its creation if it is `isQuiet`. */
export async function beginInstance<M extends MachineName, Machine extends AnyMachine>(
  { tables }: WriteContext,
  { machine, definition, toFact }: Kind<M, Machine>,
  input: InputOf<Machine>,
  rowOf: (snapshot: StoredSnapshot) => NewRow<M>,
  { isQuiet = false } = {},
): Promise<InstanceRows[M]> {
  const decision = begin(definition, input);
  const row = rowOf(decision.snapshot);
  const known = row as unknown as InstanceRows[M];
  const outcome = outcomeOf({ decision, event: undefined, from: '', isQuiet }, (fact) => toFact(fact, known));
  const [written] = await tables.instances.begin(machine, [{ row, ...outcome }]);
  if (written === undefined) throw new Failure('INTERNAL', `A new ${machine} already exists`);
  return written;
}

/**
 * Saves new instances, without effects and facts. Skips those that exist already; returns the rows that were written.
 */
export function beginInstances<M extends MachineName>(
  { instances }: Tables,
  machine: M,
  rows: readonly NewRow<M>[],
): Promise<readonly InstanceRows[M][]> {
  const quiet = { event: undefined, from: '', effects: [], facts: [] };
  return instances.begin(
    machine,
    rows.map((row) => ({ row, transition: { ...quiet, to: phaseOf(row.snapshot.value) } })),
  );
}

/** A decision, with the event and the state that it was made on. The logs skip it if it is `isQuiet`. */
interface InstanceDecision {
  readonly decision: Decision;
  readonly event: { readonly type: string } | undefined;
  readonly from: string;
  readonly isQuiet: boolean;
}

function outcomeOf(
  { decision, event, from, isQuiet }: InstanceDecision,
  toFact: (fact: FactDraft) => NewFact,
): DecisionOutcome {
  const { snapshot, effects, facts, deadlines } = decision;
  if (isQuiet) return { deadlines };
  const transition = { event, from, to: phaseOf(snapshot.value), effects, facts };
  return { deadlines, facts: facts.map(toFact), transition };
}
