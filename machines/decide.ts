import {
  type AnyStateMachine,
  type EventFromLogic,
  type InputFrom,
  initialTransition,
  type SnapshotFrom,
  transition,
} from 'xstate';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { FactKind } from '#contract/fact/fact.ts';

/** Something to be done in the world, as data. */
export interface Effect {
  readonly kind: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Something that happened, to be told. */
export interface FactDraft {
  readonly kind: FactKind;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What a machine answers to an event. Nothing of it has been done yet. */
export interface Decision {
  readonly snapshot: StoredSnapshot;
  /** In the order in which they must be performed. */
  readonly effects: readonly Effect[];
  readonly facts: readonly FactDraft[];
  /** Deadlines by name: milliseconds from now, or null to take one away. */
  readonly deadlines: Readonly<Record<string, number | null>>;
  /** Whether effects asked for earlier and not done yet are no longer wanted. */
  readonly cancels: boolean;
}

/**
 * A kind of life: its machine, and what its moves are told as. States that must end in time say so in their
 * `meta.limitMs`: their deadline is named after the state, set when it is entered and taken away when it is left.
 */
export interface Life<M extends AnyStateMachine> {
  readonly machine: M;
  /** The facts of a move; `before` is undefined for the first decision. */
  readonly tell: (before: StoredSnapshot | undefined, after: StoredSnapshot) => readonly FactDraft[];
  /**
   * What is left of each deadline, in milliseconds, while time does not count; undefined while it does. Deadlines are taken
   * away meanwhile and set to that afterwards; those of states that were entered meanwhile are set whole.
   */
  readonly pausedAt?: (snapshot: StoredSnapshot) => Readonly<Record<string, number>> | undefined;
}

/** The first decision of a new life. */
export function begin<M extends AnyStateMachine>(life: Life<M>, input: InputFrom<M>): Decision {
  const [next, actions] = initialTransition<AnyStateMachine>(life.machine, input);
  return decisionOf(life, undefined, next, actions);
}

/** What the life makes of an event; undefined where the event makes no sense in the state it is in. */
export function decide<M extends AnyStateMachine>(
  life: Life<M>,
  stored: StoredSnapshot,
  event: EventFromLogic<M>,
): Decision | undefined {
  const before = restore(life.machine, stored);
  if (before.status !== 'active' || !before.can(event)) return undefined;
  const [next, actions] = transition<AnyStateMachine>(life.machine, before, event);
  const decision = decisionOf(life, before, next, actions);
  const { version } = stored;
  return version === undefined ? decision : { ...decision, snapshot: { ...decision.snapshot, version } };
}

/** The live snapshot of a stored one: nothing happens to it any more in a final state. Throws where the state is unknown. */
export function restore(machine: AnyStateMachine, stored: StoredSnapshot): SnapshotFrom<AnyStateMachine> {
  const isOver = typeof stored.value === 'string' && machine.states[stored.value]?.type === 'final';
  const status = isOver ? 'done' : 'active';
  return machine.resolveState({ value: stored.value as string, context: stored.context, status });
}

function decisionOf<M extends AnyStateMachine>(
  life: Life<M>,
  before: SnapshotFrom<AnyStateMachine> | undefined,
  next: SnapshotFrom<AnyStateMachine>,
  actions: readonly { readonly type: string; readonly params?: unknown }[],
): Decision {
  const asked = actions.filter(({ type }) => type !== 'cancelEffects');
  const snapshot = plain(next);
  return {
    snapshot,
    effects: asked.map(({ type, params }) => ({ kind: type, params: (params ?? {}) as Record<string, unknown> })),
    facts: life.tell(before && plain(before), snapshot),
    deadlines: deadlinesOf(life, before, next),
    cancels: asked.length < actions.length,
  };
}

function plain(snapshot: SnapshotFrom<AnyStateMachine>): StoredSnapshot {
  return { value: snapshot.value, context: snapshot.context };
}

function deadlinesOf<M extends AnyStateMachine>(
  { pausedAt }: Life<M>,
  before: SnapshotFrom<AnyStateMachine> | undefined,
  next: SnapshotFrom<AnyStateMachine>,
): Record<string, number | null> {
  const paused = before && pausedAt?.(plain(before));
  const left = before && paused === undefined ? limitsOf(before) : {};
  const held = pausedAt?.(plain(next)) === undefined ? limitsOf(next) : {};
  const deadlines: Record<string, number | null> = {};
  for (const name of Object.keys(left)) if (!(name in held)) deadlines[name] = null;
  for (const [name, limitMs] of Object.entries(held)) {
    if (!(name in left)) deadlines[name] = Math.min(paused?.[name] ?? limitMs, limitMs);
  }
  return deadlines;
}

/** The deadlines of the states that a life is in, by name, in milliseconds. */
export function limitsOf(snapshot: SnapshotFrom<AnyStateMachine>): Record<string, number> {
  const limits: Record<string, number> = {};
  for (const [id, meta] of Object.entries(snapshot.getMeta() as Record<string, { limitMs?: number } | undefined>)) {
    if (meta?.limitMs !== undefined) limits[id.slice(id.indexOf('.') + 1)] = meta.limitMs;
  }
  return limits;
}
