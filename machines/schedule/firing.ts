import { assign, setup } from 'xstate';
import type { MachineDefinition } from '#machines/decide.ts';
import type { FiringContext, FiringEvent, FiringInput } from './firing-context.ts';
import { firingFacts } from './firing-fact.ts';

/** How often a firing may be postponed before it fails. */
const maxSnoozes = 100;

const outcomes = ['COMPLETE', 'FAIL', 'SNOOZE', 'PARK', 'DISCARD', 'GIVE_UP', 'RELEASE'] as const;
/** If a worker reports on a firing that is being cancelled, the cancel wins. */
const cancelled = Object.fromEntries(
  outcomes.map((type) => [type, { guard: 'isHolder', target: 'cancelled', actions: ['noteAgent', 'end'] } as const]),
);
const waiting = {
  CANCEL: { target: 'cancelled', actions: ['note', 'end'] },
  EXPIRE: { target: 'discarded', actions: ['note', 'end'] },
} as const;
const clockSet = { CLOCK_SET: { actions: ['shift'] } } as const;
const ended = { RETRY: { target: 'available', actions: ['allowAnother', 'end', 'setByHand'] } } as const;
const failed = [
  { guard: 'mayTryAgain', target: 'retryable', actions: ['note', 'wait'] },
  { guard: 'isHolder', target: 'discarded', actions: ['note', 'end'] },
] as const;

/**
 * One firing, as a job of a queue. A worker's event counts only if it names the current attempt and lease, so a worker
 * whose lease has expired changes nothing.
 */
export const firingMachine = setup({
  types: { context: {} as FiringContext, input: {} as FiringInput, events: {} as FiringEvent },
  actions: {
    note: assign(({ event }) => ('reason' in event ? { message: event.reason } : {})),
    noteAgent: assign(({ event }) => (event.type === 'COMPLETE' ? { agentId: event.agentId } : {})),
    wait: assign(({ event }) => ({ lease: null, until: 'until' in event ? event.until : null })),
    shift: assign(({ context: { until }, event }) =>
      event.type === 'CLOCK_SET' && until !== null ? { until: until + event.by } : {},
    ),
    end: assign({ lease: null, until: null }),
    take: assign(({ context, event }) =>
      event.type === 'CLAIM' ? { attempt: context.attempt + 1, lease: event.lease, until: event.until } : {},
    ),
    renew: assign(({ event }) => (event.type === 'HEARTBEAT' ? { until: event.until } : {})),
    giveBack: assign(({ context }) => ({ attempt: context.attempt - 1 })),
    countSnooze: assign(({ context }) => ({ snoozes: context.snoozes + 1 })),
    clear: assign({ message: '' }),
    allowAnother: assign(({ context }) => ({
      maxAttempts: Math.max(context.maxAttempts, context.attempt + 1),
      message: '',
    })),
    setByHand: assign({ byHand: true }),
  },
  guards: {
    isHolder: ({ context, event }) => isHolder(context, event),
    mayTryAgain: ({ context, event }) => isHolder(context, event) && context.attempt < context.maxAttempts,
    maySnooze: ({ context, event }) => isHolder(context, event) && context.snoozes < maxSnoozes,
    isDue: ({ context, event }) => isDue(context, event),
    isDueAndMayTryAgain: ({ context, event }) => isDue(context, event) && context.attempt < context.maxAttempts,
    isNews: ({ context, event }) => 'reason' in event && event.reason !== context.message,
    // A firing with jitter waits for a time of day, a postponed one for a while.
    isPutOff: ({ context }) => context.snoozes > 0,
    isReadyLater: ({ event }) => event.type === 'READY' && event.until !== null,
    isBorn: ({ context }, { as }: { as: FiringInput['state'] }) => context.bornAs === as,
  },
}).createMachine({
  id: 'firing',
  context: ({ input: { state, maxAttempts, until, message, byHand = false } }) => ({
    bornAs: state,
    attempt: 0,
    maxAttempts,
    lease: null,
    until,
    snoozes: 0,
    message,
    agentId: null,
    byHand,
  }),
  initial: 'choosing',
  states: {
    choosing: {
      always: [
        { guard: { type: 'isBorn', params: { as: 'available' } }, target: 'available' },
        { guard: { type: 'isBorn', params: { as: 'scheduled' } }, target: 'scheduled' },
        { guard: { type: 'isBorn', params: { as: 'pending' } }, target: 'pending' },
        { target: 'cancelled' },
      ],
    },
    pending: {
      on: {
        READY: [
          { guard: 'isReadyLater', target: 'scheduled', actions: ['wait', 'clear'] },
          { target: 'available', actions: ['end', 'clear'] },
        ],
        RETRY: { target: 'available', actions: ['end', 'clear', 'setByHand'] },
        WAIT: { guard: 'isNews', actions: ['note'] },
        ...waiting,
      },
    },
    scheduled: {
      on: {
        DUE: { guard: 'isDue', target: 'available', actions: ['end'] },
        RETRY: { target: 'available', actions: ['end', 'setByHand'] },
        WAIT: { target: 'pending', actions: ['note', 'end'] },
        SKIP: { target: 'cancelled', actions: ['note', 'end'] },
        CLOCK_SET: { guard: 'isPutOff', actions: ['shift'] },
        ...waiting,
      },
    },
    available: { on: { CLAIM: { target: 'running', actions: ['take'] }, ...waiting } },
    running: {
      on: {
        HEARTBEAT: { guard: 'isHolder', actions: ['renew'] },
        COMPLETE: { guard: 'isHolder', target: 'completed', actions: ['noteAgent', 'clear', 'end'] },
        FAIL: failed,
        SNOOZE: [
          { guard: 'maySnooze', target: 'scheduled', actions: ['note', 'wait', 'giveBack', 'countSnooze'] },
          ...failed,
        ],
        PARK: { guard: 'isHolder', target: 'pending', actions: ['note', 'end', 'giveBack'] },
        DISCARD: { guard: 'isHolder', target: 'discarded', actions: ['note', 'end'] },
        GIVE_UP: { guard: 'isHolder', target: 'cancelled', actions: ['note', 'end'] },
        RELEASE: { guard: 'isHolder', target: 'available', actions: ['giveBack', 'end'] },
        DUE: [
          { guard: 'isDueAndMayTryAgain', target: 'retryable', actions: ['note', 'wait'] },
          { guard: 'isDue', target: 'discarded', actions: ['note', 'end'] },
        ],
        CANCEL: { target: 'cancelling', actions: ['note'] },
        ...clockSet,
      },
    },
    cancelling: {
      on: {
        HEARTBEAT: { guard: 'isHolder', actions: ['renew'] },
        CANCEL: { actions: ['note'] },
        DUE: { guard: 'isDue', target: 'cancelled', actions: ['end'] },
        ...clockSet,
        ...cancelled,
      },
    },
    retryable: {
      on: {
        DUE: { guard: 'isDue', target: 'available', actions: ['end'] },
        RETRY: { target: 'available', actions: ['end', 'setByHand'] },
        ...clockSet,
        ...waiting,
      },
    },
    completed: { on: ended },
    cancelled: { on: ended },
    discarded: { on: ended },
  },
});

function isHolder({ attempt, lease }: FiringContext, event: FiringEvent): boolean {
  return 'lease' in event && 'attempt' in event && event.attempt === attempt && event.lease === lease;
}

function isDue({ until }: FiringContext, event: FiringEvent): boolean {
  return event.type === 'DUE' && until !== null && until <= event.now;
}

/** The firing machine and the facts of its transitions. Its start is published with its schedule. */
export const firingDefinition: MachineDefinition<typeof firingMachine> = {
  machine: firingMachine,
  factsBetween: firingFacts,
};
