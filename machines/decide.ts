import {
  type AnyStateMachine,
  createActor,
  type EventFromLogic,
  type ExecutableActionObject,
  type InputFrom,
  initialTransition,
  type SnapshotFrom,
} from 'xstate';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { FactKind } from '#contract/fact/fact.ts';

/** Any machine, the events that it takes, and its initial input. */
export type AnyMachine = AnyStateMachine;
export type EventOf<M extends AnyMachine> = EventFromLogic<M>;
export type InputOf<M extends AnyMachine> = InputFrom<M>;

/** A requested side effect, as data. */
export interface Effect {
  readonly kind: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** An event to publish. */
export interface FactDraft {
  readonly kind: FactKind;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A machine's decision on an event. None of it has been done yet. */
export interface Decision {
  readonly snapshot: StoredSnapshot;
  /** In the order in which they must be performed. */
  readonly effects: readonly Effect[];
  readonly facts: readonly FactDraft[];
  /** Deadlines by name: milliseconds from now, or null to remove one. */
  readonly deadlines: Readonly<Record<string, number | null>>;
  /** Whether it cancels earlier effects that are not done yet. */
  readonly cancels: boolean;
}

/**
 * A machine and the facts of its transitions. A state with a time limit has it in its
 * `meta.limitMs`: their deadline is named after the state, set when it is entered and removed when it is left.
 */
export interface MachineDefinition<M extends AnyStateMachine> {
  readonly machine: M;
  /** The facts of a transition; `before` is undefined for the first decision. */
  readonly factsBetween: (before: StoredSnapshot | undefined, after: StoredSnapshot) => readonly FactDraft[];
  /**
   * The rest of each deadline while time limits are paused, in milliseconds; undefined while they run. Deadlines
   * are removed during the pause, and set to the rest afterwards; states entered during the pause get their full limit.
   */
  readonly pausedAt?: (snapshot: StoredSnapshot) => Readonly<Record<string, number>> | undefined;
}

/** The first decision of a new instance. */
export function begin<M extends AnyStateMachine>(definition: MachineDefinition<M>, input: InputFrom<M>): Decision {
  const [next, actions] = initialTransition<AnyStateMachine>(definition.machine, input);
  return decisionOf(definition, undefined, next, actions);
}

/** Decides an event on an instance; undefined if the instance does not accept the event in its state. */
export function decide<M extends AnyStateMachine>(
  definition: MachineDefinition<M>,
  stored: StoredSnapshot,
  event: EventFromLogic<M>,
): Decision | undefined {
  const before = restore(definition.machine, stored);
  if (before.status !== 'active' || !before.can(event)) return undefined;
  const [next, actions] = transition(definition.machine, before, event);
  const decision = decisionOf(definition, before, next, actions);
  const { version } = stored;
  return version === undefined ? decision : { ...decision, snapshot: { ...decision.snapshot, version } };
}

/** An actor of each machine, which never starts. */
const actors = new WeakMap<AnyStateMachine, ReturnType<typeof createActor<AnyStateMachine>>>();

/**
 * The next snapshot, and the actions to execute. XState's own function makes an actor with its initial snapshot for each
 * call, which takes longer than the transition; muster's machines have no children, so one actor serves all calls.
 */
function transition(
  machine: AnyStateMachine,
  before: SnapshotFrom<AnyStateMachine>,
  event: EventFromLogic<AnyStateMachine>,
): readonly [SnapshotFrom<AnyStateMachine>, readonly ExecutableActionObject[]] {
  const actor = actors.get(machine) ?? createActor(machine);
  actors.set(machine, actor);
  const actions: ExecutableActionObject[] = [];
  const none = (): void => undefined;
  const next = machine.transition(before, event, {
    self: actor,
    system: actor.system,
    id: '',
    sessionId: '',
    logger: none,
    defer: none,
    emit: none,
    stopChild: none,
    actionExecutor: (action) => void actions.push(action),
  });
  return [next, actions];
}

/**
 * Restores a live snapshot from a stored one. An instance in a final state accepts no events. @throws Error when the
 * state is unknown.
 */
export function restore(machine: AnyStateMachine, stored: StoredSnapshot): SnapshotFrom<AnyStateMachine> {
  const isOver = typeof stored.value === 'string' && machine.states[stored.value]?.type === 'final';
  const status = isOver ? 'done' : 'active';
  return machine.resolveState({ value: stored.value as string, context: stored.context, status });
}

function decisionOf<M extends AnyStateMachine>(
  definition: MachineDefinition<M>,
  before: SnapshotFrom<AnyStateMachine> | undefined,
  next: SnapshotFrom<AnyStateMachine>,
  actions: readonly { readonly type: string; readonly params?: unknown }[],
): Decision {
  const asked = actions.filter(({ type }) => type !== 'cancelEffects');
  const snapshot = plain(next);
  return {
    snapshot,
    effects: asked.map(({ type, params }) => ({ kind: type, params: (params ?? {}) as Record<string, unknown> })),
    facts: definition.factsBetween(before && plain(before), snapshot),
    deadlines: deadlinesOf(definition, before, next),
    cancels: asked.length < actions.length,
  };
}

function plain(snapshot: SnapshotFrom<AnyStateMachine>): StoredSnapshot {
  return { value: snapshot.value, context: snapshot.context };
}

function deadlinesOf<M extends AnyStateMachine>(
  { pausedAt }: MachineDefinition<M>,
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

/** The deadlines of the states that an instance is in, by name, in milliseconds. */
export function limitsOf(snapshot: SnapshotFrom<AnyStateMachine>): Record<string, number> {
  const limits: Record<string, number> = {};
  for (const [id, meta] of Object.entries(snapshot.getMeta() as Record<string, { limitMs?: number } | undefined>)) {
    if (meta?.limitMs !== undefined) limits[id.slice(id.indexOf('.') + 1)] = meta.limitMs;
  }
  return limits;
}
