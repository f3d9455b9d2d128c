import { assign, setup } from 'xstate';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import type { FactDraft, MachineDefinition } from '#machines/decide.ts';
import {
  readSweepContext,
  type SweepContext,
  type SweepEvent,
  type SweepInput,
  type SweepPace,
} from './sweep-context.ts';

/** The time from one sweep to the next, in milliseconds. */
const intervals: Readonly<Record<SweepPace, number>> = { watched: 30_000, live: 60_000, idle: 600_000 };
/** How much it may vary, so that repositories are not all swept at once. */
const jitter = 0.2;
/** The longest pause after failed sweeps of a repository, in milliseconds. */
const longestBackoff = 30 * 60_000;
/**
 * The pauses before incomplete pull requests are read again after a sweep, in milliseconds.
 */
const rereadAfter = [3_000, 6_000, 12_000, 12_000, 12_000] as const;
/** Repositories that waited for the same moment start at random times within this many milliseconds. */
const letLoose = 10_000;

/**
 * The time to the next sweep. `spread` is a random number from 0 to 1; `stretch` lengthens it if a quota is tight.
 */
export function sweepInterval(pace: SweepPace, spread: number, stretch: number): number {
  return Math.round(intervals[pace] * Math.max(1, stretch) * spreadFactor(spread));
}

/** The number of sweeps per hour of a pace. */
export function sweepsPerHour(pace: SweepPace): number {
  return 3_600_000 / intervals[pace];
}

function spreadFactor(spread: number): number {
  return 1 - jitter + 2 * jitter * spread;
}

const nothing = {};
const unclaimed = {
  UNWANTED: { target: 'dormant', actions: ['rest'] },
  NUDGE: { guard: 'mayBeAsked', target: 'due', actions: ['hasten'] },
  PAUSE: { target: 'backingOff', actions: ['pause'] },
} as const;
const claimed = {
  HEARTBEAT: { guard: 'isHolder', actions: ['renew'] },
  WANTED: { guard: 'isOtherPace', actions: ['notePace'] },
  NUDGE: { actions: ['askAgain'] },
  PAUSE: { actions: ['noteBefore'] },
  FAILED: { guard: 'isHolder', target: 'backingOff', actions: ['fail'] },
  RELEASE: { guard: 'isHolder', target: 'due', actions: ['giveBack'] },
  LOST: { guard: 'isDue', target: 'due', actions: ['giveBack'] },
} as const;
const sooner = { WANTED: { guard: 'isOtherPace', actions: ['notePace', 'comeSooner'] } } as const;

/**
 * The machine of a repository that agents push to: when its pull requests are read. A sweeper's event counts only if it
 * names the current lease.
 */
export const sweepMachine = setup({
  types: { context: {} as SweepContext, input: {} as SweepInput, events: {} as SweepEvent },
  actions: {
    rest: assign({ until: null, rereads: 0 }),
    notePace: assign(({ event }) => (event.type === 'WANTED' ? { pace: event.pace } : nothing)),
    hasten: assign(({ context, event }) => ('now' in event ? { until: allowedAt(context, event.now) } : nothing)),
    comeSooner: assign(({ context, event }) =>
      event.type === 'WANTED'
        ? {
            until: allowedAt(
              context,
              Math.min(context.until ?? event.now, event.now + sweepInterval(event.pace, event.spread, 1)),
            ),
          }
        : nothing,
    ),
    waitForForge: assign(({ context }) => ({ until: context.notBefore })),
    noteBefore: assign(({ context, event }) =>
      event.type === 'PAUSE' ? { notBefore: Math.max(context.notBefore ?? 0, event.until) } : nothing,
    ),
    pause: assign(({ context, event }) =>
      event.type === 'PAUSE'
        ? { notBefore: Math.max(context.notBefore ?? 0, event.until), until: Math.max(context.until ?? 0, event.until) }
        : nothing,
    ),
    take: assign(({ event }) =>
      event.type === 'CLAIM' ? { lease: event.lease, until: event.until, again: false } : nothing,
    ),
    renew: assign(({ event }) => (event.type === 'HEARTBEAT' ? { until: event.until } : nothing)),
    giveBack: assign(({ context, event }) => ({
      lease: null,
      ...('now' in event ? { until: allowedAt(context, event.now) } : nothing),
    })),
    askAgain: assign({ again: true }),
    end: assign({ lease: null, read: true, failures: 0, reason: '', rereads: 0, again: false }),
    placeNext: assign(({ context, event }) => {
      if (event.type !== 'DONE') return nothing;
      const next = event.now + sweepInterval(context.pace, event.spread, event.stretch);
      const nextAt = Math.max(next, context.notBefore ?? 0);
      return { nextAt, until: nextAt };
    }),
    soonAgain: assign(({ context, event }) =>
      'now' in event ? { until: allowedAt(context, event.now + (rereadAfter[context.rereads] ?? 0)) } : nothing,
    ),
    countReread: assign(({ context }) => ({ lease: null, rereads: context.rereads + 1 })),
    goOn: assign(({ context }) => ({ lease: null, until: allowedAt(context, context.nextAt), rereads: 0 })),
    fail: assign(({ context, event }) => {
      if (event.type !== 'FAILED') return nothing;
      const { now, spread, retryAt, reason } = event;
      const failures = context.failures + 1;
      const backoff = Math.min(intervals[context.pace] * 2 ** Math.min(failures, 16), longestBackoff);
      const until =
        retryAt === null ? now + backoff * spreadFactor(spread) : Math.max(retryAt, now) + spread * letLoose;
      const notBefore = retryAt === null ? context.notBefore : Math.max(retryAt, context.notBefore ?? 0);
      return { lease: null, failures, reason, notBefore, until: Math.round(Math.max(until, notBefore ?? 0)) };
    }),
  },
  guards: {
    isHolder: ({ context, event }) => 'lease' in event && event.lease === context.lease,
    isDue: ({ context, event }) => 'now' in event && context.until !== null && context.until <= event.now,
    isOtherPace: ({ context, event }) => event.type === 'WANTED' && event.pace !== context.pace,
    mayBeAsked: ({ context, event }) => 'now' in event && (context.notBefore ?? 0) <= event.now,
    isAskedAgain: ({ context, event }) => isHeldBy(context, event) && context.again,
    isUnsettled: ({ context, event }) => isHeldBy(context, event) && event.type === 'DONE' && event.unsettled,
    mayReadAgain: ({ context, event }) =>
      isHeldBy(context, event) &&
      event.type === 'DONE' &&
      event.unsettled &&
      context.rereads + 1 < rereadAfter.length &&
      event.now < context.nextAt,
  },
}).createMachine({
  id: 'sweep',
  context: ({ input: { now, pace } }) => ({
    pace,
    lease: null,
    until: now,
    notBefore: null,
    nextAt: now,
    rereads: 0,
    failures: 0,
    reason: '',
    again: false,
    read: false,
  }),
  initial: 'due',
  states: {
    due: {
      on: {
        ...unclaimed,
        CLAIM: { guard: 'isDue', target: 'sweeping', actions: ['take'] },
        WANTED: { guard: 'isOtherPace', actions: ['notePace'] },
      },
    },
    sweeping: {
      on: {
        ...claimed,
        DONE: [
          { guard: 'isAskedAgain', target: 'due', actions: ['end', 'hasten'] },
          { guard: 'isUnsettled', target: 'unsettled', actions: ['end', 'placeNext', 'soonAgain'] },
          { guard: 'isHolder', target: 'resting', actions: ['end', 'placeNext'] },
        ],
      },
    },
    unsettled: {
      on: { ...unclaimed, CLAIM: { guard: 'isDue', target: 'rereading', actions: ['take'] }, WANTED: claimed.WANTED },
    },
    rereading: {
      on: {
        ...claimed,
        DONE: [
          { guard: 'isAskedAgain', target: 'due', actions: ['end', 'hasten'] },
          { guard: 'mayReadAgain', target: 'unsettled', actions: ['countReread', 'soonAgain'] },
          { guard: 'isHolder', target: 'resting', actions: ['goOn'] },
        ],
      },
    },
    resting: {
      on: { ...unclaimed, ...sooner, CLAIM: { guard: 'isDue', target: 'sweeping', actions: ['take'] } },
    },
    backingOff: {
      on: {
        ...unclaimed,
        CLAIM: { guard: 'isDue', target: 'sweeping', actions: ['take'] },
        WANTED: { guard: 'isOtherPace', actions: ['notePace'] },
      },
    },
    dormant: {
      on: {
        WANTED: [
          { guard: 'mayBeAsked', target: 'due', actions: ['notePace', 'hasten'] },
          { target: 'backingOff', actions: ['notePace', 'waitForForge'] },
        ],
        NUDGE: { guard: 'mayBeAsked', target: 'due', actions: ['hasten'] },
        PAUSE: { actions: ['noteBefore'] },
      },
    },
  },
});

/** The later of a time and the end of the forge's pause. */
function allowedAt({ notBefore }: SweepContext, time: number): number {
  return Math.max(time, notBefore ?? 0);
}

function isHeldBy({ lease }: SweepContext, event: SweepEvent): boolean {
  return 'lease' in event && event.lease === lease;
}

/** The sweep machine and the facts of its transitions. */
export const sweepDefinition: MachineDefinition<typeof sweepMachine> = { machine: sweepMachine, factsBetween };

function factsBetween(before: StoredSnapshot | undefined, after: StoredSnapshot): FactDraft[] {
  const was = before && readSweepContext(before);
  const is = readSweepContext(after);
  if (was === undefined) return [];
  const facts: FactDraft[] = [];
  if (is.read && !was.read) facts.push({ kind: 'repository.read', detail: {} });
  if (is.failures > 0 && was.reason !== is.reason)
    facts.push({ kind: 'repository.failed', detail: { reason: is.reason } });
  if (is.failures === 0 && was.failures > 0) facts.push({ kind: 'repository.recovered', detail: {} });
  return facts;
}

/** The name of the state that a stored repository's machine is in. */
export function sweepPhase({ value }: StoredSnapshot): string {
  return phaseOf(value);
}
