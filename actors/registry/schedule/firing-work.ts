import { randomUUID } from 'node:crypto';
import { change } from '#actors/registry/agent/change.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { launchAgent } from '#actors/registry/launch/create-agent.ts';
import type { ReportedPlace } from '#actors/registry/launch/prepare.ts';
import type { DueRows, LeasedWork } from '#actors/worker/leased-work.ts';
import { isDatabaseFault } from '#contract/database-reason.ts';
import { Failure } from '#contract/failure.ts';
import { type FiringEvent, type FiringLease, readFiringContext } from '#machines/schedule/firing-context.ts';
import type { StoredFiring } from '#store/schedule/firing-entity.ts';
import type { StoredSchedule } from '#store/schedule/schedule-entity.ts';
import { advanceFiring } from './firings.ts';
import type { HostSearch } from './host-search.ts';
import type { ScheduleScope } from './schedule-scope.ts';
import { waitReason } from './wait-reason.ts';

/** How many firings with an expired lease are rescued in one transaction. */
const rescuedAtOnce = 200;
/**
 * The pauses before a retry, in milliseconds: after a failed launch, doubled each time up to `max`; when the database
 * is full; and when the worker was lost.
 */
const backoff = { first: 10_000, max: 600_000, full: 10_000, lost: 1_000 } as const;

/** A firing that a worker has leased. */
interface LeasedFiring {
  readonly firing: StoredFiring;
  readonly schedule: StoredSchedule;
  readonly lease: FiringLease;
}

/** Launches the agents of firings that are available. */
export class FiringWork implements LeasedWork<LeasedFiring, FiringEvent> {
  readonly name = 'firings';
  readonly atOnce = 4;
  readonly lease = 30_000;
  readonly heartbeat = 10_000;
  readonly #scope: ScheduleScope;
  readonly #search: HostSearch;

  constructor(scope: ScheduleScope, search: HostSearch) {
    this.#scope = scope;
    this.#search = search;
  }

  due(): Promise<DueRows> {
    const now = this.#scope.clock.now();
    return this.#scope.store.read(async ({ firings }) => ({
      free: (await firings.inState('available', 1)).length > 0,
      expired: (await firings.expired(now, 1)).length > 0,
    }));
  }

  async rescue(): Promise<void> {
    await change(this.#scope, async (writing) => {
      const { tables, now } = writing;
      if (!(await this.#scope.clockSteps.isCurrent(tables))) return;
      const event = {
        type: 'DUE',
        now,
        until: now + backoff.lost,
        reason: 'the worker that ran it was lost',
      } as const;
      for (const firing of await tables.firings.expired(now, rescuedAtOnce))
        await advanceFiring(writing, firing, event);
    });
  }

  async claim(room: number): Promise<readonly LeasedFiring[]> {
    const claimed = await change(this.#scope, (writing) => this.#claim(writing, room));
    const { clock, lateness } = this.#scope;
    for (const { firing, lease } of claimed) {
      // Only the first attempt: a later one was delayed on purpose.
      if (lease.attempt === 1) lateness.observe(Math.max(0, clock.now() - firing.scheduledFor) / 1_000);
    }
    return claimed;
  }

  async renew(leased: LeasedFiring): Promise<boolean> {
    const advanced = await change(this.#scope, (writing) =>
      updateFiring(writing, leased, { type: 'HEARTBEAT', until: writing.now + this.lease, ...leased.lease }),
    );
    return advanced !== undefined;
  }

  /** Launches the agent if a host can take it. Otherwise the firing waits, and uses up no attempt. */
  async perform(leased: LeasedFiring, signal: AbortSignal): Promise<FiringEvent> {
    const { lease, schedule } = leased;
    signal.throwIfAborted();
    try {
      const { why: reason, found } = await this.#search.look(schedule.workflowId);
      if (reason !== '') return { type: 'PARK', reason, ...lease };
      return { type: 'COMPLETE', agentId: await this.#launch(leased, found), ...lease };
    } catch (error) {
      const reason = await waitReason(this.#scope, this.#search, schedule, error);
      if (reason !== undefined) return { type: 'PARK', reason, ...lease };
      return outcomeOf(error, leased, this.#scope.clock.now());
    }
  }

  /** Records a result. A completed launch has recorded its own, so that is only checked. */
  async settle(leased: LeasedFiring, event: FiringEvent): Promise<boolean> {
    if (event.type === 'COMPLETE') {
      const current = await this.#scope.store.read(({ firings }) => firings.find(leased.firing.id));
      if (current?.state === 'completed') return current.agent === event.agentId;
    }
    return (await change(this.#scope, (writing) => updateFiring(writing, leased, event))) !== undefined;
  }

  async release(leased: LeasedFiring): Promise<void> {
    await change(this.#scope, (writing) => updateFiring(writing, leased, { type: 'RELEASE', ...leased.lease }));
  }

  about({ firing, schedule }: LeasedFiring): Readonly<Record<string, unknown>> {
    return { runId: firing.id, scheduleId: schedule.id };
  }

  async #claim(writing: Change, room: number): Promise<LeasedFiring[]> {
    const { tables, now } = writing;
    if (!(await this.#scope.clockSteps.isCurrent(tables))) return [];
    const leased: LeasedFiring[] = [];
    for (const firing of await tables.firings.inState('available', room)) {
      const schedule = await tables.schedules.find(firing.schedule);
      if (schedule === undefined) continue;
      const token = randomUUID();
      const taken = await advanceFiring(writing, firing, { type: 'CLAIM', lease: token, until: now + this.lease });
      if (taken === undefined) continue;
      const { attempt } = readFiringContext(taken.snapshot);
      leased.push({ firing: taken, schedule, lease: { attempt, lease: token } });
    }
    return leased;
  }

  /** Launches the agent and completes the firing in one transaction. */
  async #launch(leased: LeasedFiring, found: ReportedPlace | undefined): Promise<string> {
    const { id: scheduleId, prompt, workflowId, name: title, hideAgents: hidden, isolation } = leased.schedule;
    const idempotencyKey = `firing-${leased.firing.id}`;
    const agent = await launchAgent(
      { prompt, workflowId, title, idempotencyKey, isolation: isolation ?? undefined },
      {
        caller: { kind: 'person' },
        createdBy: scheduleId,
        scheduleId,
        hidden,
        found,
        async settle(writing, agentId) {
          const settled = await updateFiring(writing, leased, { type: 'COMPLETE', agentId, ...leased.lease });
          if (settled?.state === 'completed') return;
          throw new Failure('LEASE_LOST', 'the run was cancelled or given to another worker, so nothing was launched');
        },
      },
      this.#scope,
    );
    return agent.id ?? '';
  }
}

/** Sends a worker's event to its firing; undefined if the firing has ended or another worker has leased it. */
async function updateFiring(
  writing: Change,
  { firing }: LeasedFiring,
  event: FiringEvent,
): Promise<StoredFiring | undefined> {
  const current = await writing.tables.firings.find(firing.id);
  return current && advanceFiring(writing, current, event);
}

/** The event for the firing of a failed launch. */
function outcomeOf(error: unknown, { lease, firing }: LeasedFiring, now: number): FiringEvent {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Failure ? error.code : 'internal';
  // A full disk is temporary, unlike a ceiling: the firing waits until there is space.
  if (isDatabaseFault(error)) return { type: 'SNOOZE', reason, until: now + backoff.full, ...lease };
  if (code === 'resource_exhausted') return { type: 'GIVE_UP', reason: `ceiling reached: ${reason}`, ...lease };
  if (code === 'not_found') return { type: 'GIVE_UP', reason: `workflow gone: ${reason}`, ...lease };
  const pause = Math.min(backoff.first * 2 ** (lease.attempt - 1), backoff.max);
  // Jitter of up to a fifth, so that firings which failed together are not retried together.
  return { type: 'FAIL', reason, until: now + pause + ((firing.id * 7919) % 1000) * (pause / 5_000), ...lease };
}
