import { assign, setup } from 'xstate';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { contextReader } from '#machines/context-reader.ts';
import type { FactDraft, MachineDefinition } from '#machines/decide.ts';

/** The initial input of a schedule's machine. */
export interface ScheduleInput {
  readonly enabled: boolean;
}

/** The context of a schedule's machine. */
export interface ScheduleContext {
  readonly enabled: boolean;
  /** How many firings in a row failed. */
  readonly failures: number;
  /** Why it is paused; empty while it is armed. */
  readonly reason: string;
  /** Whether it is paused because firings failed in a row. */
  readonly isStuck?: boolean;
}

/** Reads the context of a schedule's machine from a stored snapshot. */
export const readScheduleContext = contextReader<ScheduleContext>('schedule', {
  enabled: ['boolean'],
  failures: ['number'],
  reason: ['string'],
});

/** Everything that can happen to a schedule. */
export type ScheduleEvent =
  | { readonly type: 'PAUSE'; readonly reason: string }
  | { readonly type: 'RESUME' }
  | { readonly type: 'FIRING_COMPLETED' }
  /** A firing ran out of attempts; after this many in a row it is paused, never if that is zero. */
  | { readonly type: 'FIRING_DISCARDED'; readonly pauseAfter: number };

/** A schedule: armed, or paused by a person or by failures in a row. */
export const scheduleMachine = setup({
  types: { context: {} as ScheduleContext, input: {} as ScheduleInput, events: {} as ScheduleEvent },
  actions: {
    noteReason: assign(({ event }) => ({ reason: event.type === 'PAUSE' ? event.reason : '', isStuck: false })),
    noteFailures: assign(({ context }) => ({
      reason: `paused after ${context.failures + 1} failed firings in a row: fix the cause, then resume it`,
      isStuck: true,
    })),
    countFailure: assign(({ context }) => ({ failures: context.failures + 1 })),
    forgetFailures: assign({ failures: 0 }),
    clear: assign({ reason: '', isStuck: false }),
  },
  guards: {
    isEnabled: ({ context }) => context.enabled,
    isOneTooMany: ({ context, event }) =>
      event.type === 'FIRING_DISCARDED' && event.pauseAfter > 0 && context.failures + 1 >= event.pauseAfter,
  },
}).createMachine({
  id: 'schedule',
  context: ({ input: { enabled } }) => ({ enabled, failures: 0, reason: '' }),
  initial: 'choosing',
  states: {
    choosing: { always: [{ guard: 'isEnabled', target: 'armed' }, { target: 'paused' }] },
    armed: {
      on: {
        PAUSE: { target: 'paused', actions: ['noteReason'] },
        FIRING_COMPLETED: { actions: ['forgetFailures'] },
        FIRING_DISCARDED: [
          { guard: 'isOneTooMany', target: 'paused', actions: ['noteFailures', 'countFailure'] },
          { actions: ['countFailure'] },
        ],
      },
    },
    paused: {
      on: {
        RESUME: { target: 'armed', actions: ['forgetFailures', 'clear'] },
        FIRING_COMPLETED: { actions: ['forgetFailures'] },
        FIRING_DISCARDED: { actions: ['countFailure'] },
      },
    },
  },
});

/** The view of a schedule's machine. */
export interface ScheduleView {
  readonly enabled: boolean;
  readonly reason: string;
  readonly isStuck: boolean;
}

/** Reads the view from a stored snapshot. */
export function scheduleViewOf(snapshot: StoredSnapshot): ScheduleView {
  const { reason, isStuck = false } = readScheduleContext(snapshot);
  return { enabled: phaseOf(snapshot.value) === 'armed', reason, isStuck };
}

/** The schedule machine and the facts of its transitions. */
export const scheduleDefinition: MachineDefinition<typeof scheduleMachine> = { machine: scheduleMachine, factsBetween };

function factsBetween(before: StoredSnapshot | undefined, after: StoredSnapshot): FactDraft[] {
  const { enabled, reason } = scheduleViewOf(after);
  if (before === undefined) return [{ kind: 'schedule.created', detail: {} }];
  if (scheduleViewOf(before).enabled === enabled) return [];
  return [enabled ? { kind: 'schedule.resumed', detail: {} } : { kind: 'schedule.paused', detail: { reason } }];
}
