/** The version of the inspector's protocol, which is that of the package `@statelyai/inspect`. */
const protocolVersion = '0.7.2';

/** An instance for the inspector. */
export interface InspectedInstance {
  /** Unique among the instances of every machine. */
  readonly sessionId: string;
  readonly name: string;
  /** The machine's definition, as JSON. */
  readonly definition: string;
}

/** The state of an instance. */
export interface InspectedState {
  /** The state's path, such as `live.idle`. */
  readonly path: string;
  readonly context: Readonly<Record<string, unknown>>;
}

/** An event for the inspector. */
export interface InspectedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

type Frame = Readonly<Record<string, unknown>>;

/** The initial event of an instance. */
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

/** The common fields of events. Times are milliseconds since 1970 as strings; each instance is its own root. */
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

/** The XState value of a state path: `live.idle` is `{ live: 'idle' }`. */
function stateValueOf(path: string): unknown {
  const [innermost = '', ...around] = path.split('.').toReversed();
  return around.reduce<unknown>((inner, state) => ({ [state]: inner }), innermost);
}
