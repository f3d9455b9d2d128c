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
import type { Columns, InstanceCommit, NewRow, Outcome } from '#store/instance/instance-journal.ts';
import type { Tables } from '#store/store.ts';

/** The tables within a write, and the time that all of it happens at. */
export interface Writing {
  readonly tables: Tables;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * A kind of machine instance that the registry keeps: its machine, and what its row and the logs show of a decision.
 */
export interface Kind<M extends MachineName, Machine extends AnyMachine> {
  readonly machine: M;
  readonly definition: MachineDefinition<Machine>;
  /** The columns that a snapshot decides; `before` is the row until then. */
  readonly columns: (snapshot: StoredSnapshot, now: number, before: InstanceRows[M]) => Columns<M>;
  /** A fact of a row's machine as the log of facts holds it. */
  readonly toFact: (fact: FactDraft, row: InstanceRows[M]) => NewFact;
  /** Whether the result of an event is for the logs; all is, if it is left out. */
  readonly isLogged?: (
    tables: Tables,
    row: InstanceRows[M],
    event: EventOf<Machine>,
    decision: Decision,
  ) => boolean | Promise<boolean>;
}

/**
 * The one way of an instance from state to state: its machine decides, and row, logs and deadlines are committed
 * together. `noted` is what its row holds beside the machine from then on. Returns the row as it is then; undefined if
 * the event makes no sense, and then nothing is written.
 */
export async function advanceInstance<M extends MachineName, Machine extends AnyMachine>(
  { tables, now }: Writing,
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

/** Saves a new instance and returns its row. Its first transition is logged unless the instance is `isQuiet`. */
export async function beginInstance<M extends MachineName, Machine extends AnyMachine>(
  { tables }: Writing,
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
  if (written === undefined) throw new Failure('INTERNAL', `A new ${machine} is there already`);
  return written;
}

/**
 * Saves new instances that begin alike, except for those that are there already; returns the rows that
 * were written.
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

/** What was decided, on which event in which state, and whether the logs leave it out. */
interface Decided {
  readonly decision: Decision;
  readonly event: { readonly type: string } | undefined;
  readonly from: string;
  readonly isQuiet: boolean;
}

function outcomeOf({ decision, event, from, isQuiet }: Decided, toFact: (fact: FactDraft) => NewFact): Outcome {
  const { snapshot, effects, facts, deadlines } = decision;
  if (isQuiet) return { deadlines };
  const transition = { event, from, to: phaseOf(snapshot.value), effects, facts };
  return { deadlines, facts: facts.map(toFact), transition };
}
