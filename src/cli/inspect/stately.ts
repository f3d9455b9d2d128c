/**
 * The version of the inspector's protocol that is spoken: that of the package `@statelyai/inspect` of the same number.
 */
const protocolVersion = '0.7.2';

/** An instance, as the inspector identifies it. */
export interface InspectedInstance {
  /** Unique among the instances of every machine. */
  readonly sessionId: string;
  readonly name: string;
  /** The machine's definition, as JSON. */
  readonly definition: string;
}

/** What an instance is at. */
export interface InspectedState {
  /** The state's path, such as `live.idle`. */
  readonly path: string;
  readonly context: Readonly<Record<string, unknown>>;
}

/** An event as the inspector shows it. */
export interface InspectedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

type Frame = Readonly<Record<string, unknown>>;

/** What an instance begins with in an actor system of its own. */
export const begun: InspectedEvent = { type: 'xstate.init' };

/** Announces an instance to the inspector. `at` is RFC 3339. */
export function actorFrame(instance: InspectedInstance, state: InspectedState, at: string): Frame {
  const { name, definition } = instance;
  return { type: '@xstate.actor', name, definition, snapshot: snapshotOf(instance, state), ...commonOf(instance, at) };
}

/** Reports an event of an instance. */
export function eventFrame(instance: InspectedInstance, event: InspectedEvent, at: string): Frame {
  return { type: '@xstate.event', event, ...commonOf(instance, at) };
}

/** Reports the state of an instance after an event. */
export function snapshotFrame(
  instance: InspectedInstance,
  event: InspectedEvent,
  state: InspectedState,
  at: string,
): Frame {
  return { type: '@xstate.snapshot', event, snapshot: snapshotOf(instance, state), ...commonOf(instance, at) };
}

/** The inspector wants milliseconds since the epoch, as a string; each instance is the root of its own system. */
function commonOf({ sessionId }: InspectedInstance, at: string): Frame {
  return {
    sessionId,
    rootId: sessionId,
    id: null,
    createdAt: String(Date.parse(at)),
    _version: protocolVersion,
  };
}

function snapshotOf({ definition }: InspectedInstance, { path, context }: InspectedState): Frame {
  const [outermost = ''] = path.split('.');
  const { states = {} } = JSON.parse(definition) as { states?: Readonly<Record<string, { type?: string }>> };
  const isOver = Object.hasOwn(states, outermost) && states[outermost]?.type === 'final';
  return { status: isOver ? 'done' : 'active', value: stateValueOf(path), context, children: {}, historyValue: {} };
}

/** The value of a state as XState has it: `live.idle` is `{ live: 'idle' }`. */
function stateValueOf(path: string): unknown {
  const [innermost = '', ...around] = path.split('.').toReversed();
  return around.reduce<unknown>((inner, state) => ({ [state]: inner }), innermost);
}
