import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import type { DoorbellEvent } from '#machines/doorbell/doorbell.ts';
import { readSweepContext, type SweepContext, type SweepEvent } from '#machines/forge/sweep-context.ts';
import { type HostContext, type HostEvent, readHostContext } from '#machines/host/host.ts';
import type { ReviewBatchEvent } from '#machines/review/review-batch.ts';
import { type FiringContext, type FiringEvent, readFiringContext } from '#machines/schedule/firing-context.ts';
import type { ScheduleEvent } from '#machines/schedule/schedule.ts';

/** Example data for an event: its fields other than the type, one object for each example. */
type Samples<E extends { readonly type: string }> = {
  readonly [Type in E['type']]?: readonly EventFields<E, Type>[];
};

/** The fields of an event other than its type. */
type EventFields<E, Type> = E extends { readonly type: infer Types }
  ? Type extends Types
    ? Omit<E, 'type'>
    : never
  : never;

const minute = 60_000;
const why = 'for an example';

const readings = (['IDLE', 'THINKING', 'WAITING', 'UNCERTAIN'] as const).map((state) => ({
  reading: { state: `AGENT_STATE_${state}` as const, reason: '' },
}));
const worktree = { repository: '/r/.git', path: '/w', branch: 'b', baseSha: '0'.repeat(40), copied: [] };

const place = { hostId: 'hst_2', host: 'build-2', cwd: '/r' };

const agent: Samples<AgentEvent> = {
  DELETE: [{ force: false }],
  RENAME: [{ name: 'another-name' }],
  HOLD: [{ at: 0 }],
  BUDGET_SPENT: [{ budget: { ownerId: 'wfl_1', ownerName: 'web', measure: 'turns', used: 20, limit: 20, at: 0 } }],
  QUEUED: [{ reason: why }],
  PLACED: [{ provision: true, scripts: [] }],
  HOST_LOST: [{ host: 'build-2', since: '2026-11-21T09:00:00.000Z', left: {} }],
  WORKTREE_READY: [{ worktree }],
  WINDOW_OPENED: [{ paneId: '%1' }],
  VERSION_READ: [{ paneId: '%1', harnessVersion: '2.2.0' }],
  CONNECTION_REFUSED: [{ destination: 'example.com:443' }],
  CONNECTIONS_ALLOWED: [{ destinations: ['example.com:443'] }],
  BRIEFED: readings.slice(1, 2),
  UNSTOPPED: [{ reason: why }],
  PARK: [
    { park: { reason: 'usage', since: 0, until: minute, due: minute, resume: true } },
    { park: { reason: 'usage', since: 0, until: minute, due: minute, resume: true, looks: 0 } },
  ],
  LEFT_LIMITED: [{ why }],
  RESUMED: [
    { outcome: 'continued', why: '' },
    { outcome: 'left', why },
    { outcome: 'failed', why },
    { outcome: 'looked', why: '' },
  ],
  STEP_FAILED: [{ step: 'opening', reason: why }],
  READING: readings,
  PROMPTED: readings.slice(0, 2),
  REPORTED: [{ report: { reason: why, at: Number.MAX_SAFE_INTEGER } }],
  CHECKOUT_READ: [{ checkout: { branch: 'b' }, worktreeGone: false }],
  DOUBTED: [{ reason: why }],
  PANE_GONE: [{ reason: why, briefed: true }],
  MOVE: [{ order: { id: 'mov', from: { ...place, hostId: 'hst_1', host: 'build-1' }, to: place, known: [] } }],
  PACKED: [{ package: { bytes: 1, digest: '0' } }],
  UNPACKED: [{ worktree }],
};

const doorbell: Samples<DoorbellEvent> = {
  RAISE: [{ cause: 'DOORBELL_CAUSE_MAIL', count: 1 }],
  MET: [{ cause: 'DOORBELL_CAUSE_MAIL' }],
};

function firing({ attempt, lease, until }: FiringContext): Samples<FiringEvent> {
  const claim = { attempt, lease: lease ?? '' };
  const now = until ?? 0;
  const later = now + minute;
  const failed = { ...claim, reason: why };
  return {
    READY: [{ until: null }, { until: later }],
    DUE: [{ now, until: later, reason: why }],
    CLOCK_SET: [{ by: minute }],
    WAIT: [{ reason: why }],
    SKIP: [{ reason: why }],
    CANCEL: [{ reason: why }],
    EXPIRE: [{ reason: why }],
    CLAIM: [{ lease: 'lease', until: later }],
    HEARTBEAT: [{ ...claim, until: later }],
    COMPLETE: [{ ...claim, agentId: 'agt' }],
    FAIL: [{ ...failed, until: later }],
    SNOOZE: [{ ...failed, until: later }],
    DISCARD: [failed],
    GIVE_UP: [failed],
    PARK: [failed],
    RELEASE: [claim],
  };
}

function sweep({ lease: token, until }: SweepContext): Samples<SweepEvent> {
  const lease = token ?? '';
  const now = until ?? 0;
  const done = { lease, now, spread: 0.5, stretch: 1 };
  return {
    WANTED: [
      { now, pace: 'watched', spread: 0.5 },
      { now, pace: 'idle', spread: 0.5 },
    ],
    NUDGE: [{ now }],
    PAUSE: [{ until: now + minute }],
    CLAIM: [{ now, lease: 'lease', until: now + minute }],
    HEARTBEAT: [{ lease, until: now + minute }],
    DONE: [
      { ...done, unsettled: false },
      { ...done, unsettled: true },
    ],
    FAILED: [{ lease, now, spread: 0.5, retryAt: null, reason: why }],
    RELEASE: [{ lease, now }],
    LOST: [{ now }],
  };
}

const schedule: Samples<ScheduleEvent> = {
  PAUSE: [{ reason: why }],
  FIRING_DISCARDED: [{ pauseAfter: 1 }, { pauseAfter: 0 }],
};

function host({ name, harnesses }: HostContext): Samples<HostEvent> {
  return { BEAT: [{ name, harnesses }] };
}

const reviewBatch: Samples<ReviewBatchEvent> = {
  TAKE_BACK: [{ count: 1 }],
  RELEASE: [{ conclusion: { verdict: 'REVIEW_VERDICT_COMMENTED', summary: why, roundId: 'rnd' } }],
};

type AnySamples = Readonly<Record<string, readonly object[] | undefined>>;

const samplesOf: Readonly<Record<string, (snapshot: StoredSnapshot) => AnySamples>> = {
  agent: () => agent,
  doorbell: () => doorbell,
  firing: (snapshot) => firing(readFiringContext(snapshot)),
  host: (snapshot) => host(readHostContext(snapshot)),
  'review-batch': () => reviewBatch,
  schedule: () => schedule,
  sweep: (snapshot) => sweep(readSweepContext(snapshot)),
};

/**
 * Examples of an event that an instance could accept now: an event that must name a lease or a deadline names the
 * current one. An event without fields is its own example.
 */
export function sampleEvents(
  machine: string,
  type: string,
  snapshot: StoredSnapshot,
  deadlines: readonly string[],
): readonly { readonly type: string }[] {
  if (type === 'DEADLINE') return deadlines.map((name) => ({ type, name }));
  const samples = samplesOf[machine]?.(snapshot)[type] ?? [{}];
  return samples.map((sample) => ({ type, ...sample }));
}
