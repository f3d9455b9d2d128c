import { randomUUID } from 'node:crypto';
import { change } from '#actors/registry/agent/change.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { launchAgent } from '#actors/registry/launch/create-agent.ts';
import { isDatabaseFault } from '#contract/database-reason.ts';
import { Failure } from '#contract/failure.ts';
import type { FiringContext, FiringEvent, Hold } from '#machines/schedule/firing-context.ts';
import type { StoredFiring } from '#store/schedule/firing-entity.ts';
import type { StoredSchedule } from '#store/schedule/schedule-entity.ts';
import { moveFiring } from './firings.ts';
import type { HostSearch } from './host-search.ts';
import type { ScheduleScope } from './schedule-scope.ts';

/** How many firings are worked at together. */
const atOnce = 4;
/** How long a worker holds a firing without a sign of life, and how often it gives one, in milliseconds. */
const lease = 30_000;
const heartbeat = 10_000;
/** After how long a launch that failed is tried again: doubled each time, up to a most; and one that found the database full. */
const backoff = { first: 10_000, most: 600_000, full: 10_000 } as const;

/** A firing that this worker holds. */
interface Held {
  readonly firing: StoredFiring;
  readonly schedule: StoredSchedule;
  readonly hold: Hold;
}

/** Launches the agents of firings that are available. */
export class FiringWorker {
  readonly #scope: ScheduleScope;
  readonly #search: HostSearch;
  readonly #held = new Set<Promise<void>>();
  #stopped = false;

  constructor(scope: ScheduleScope, search: HostSearch) {
    this.#scope = scope;
    this.#search = search;
  }

  /** Takes as many firings as there is room for. */
  async look(): Promise<void> {
    while (!this.#stopped && this.#held.size < atOnce && (await this.#hasWork())) {
      const claimed = await change(this.#scope, (writing) => claim(writing, atOnce - this.#held.size));
      for (const held of claimed) {
        this.#noteLateness(held);
        const work: Promise<void> = this.#work(held)
          .catch((error: unknown) =>
            this.#scope.log.error({ err: error, runId: held.firing.id }, 'a firing was dropped'),
          )
          .finally(() => {
            this.#held.delete(work);
            if (!this.#stopped) void this.look().catch(() => undefined);
          });
        this.#held.add(work);
      }
      if (claimed.length === 0) return;
    }
  }

  /** How late it is taken up, once: a later attempt has waited for what the earlier one met. */
  #noteLateness({ firing, hold }: Held): void {
    const { clock, lateness } = this.#scope;
    if (hold.attempt === 1) lateness.observe(Math.max(0, clock.now() - firing.scheduledFor) / 1_000);
  }

  async #hasWork(): Promise<boolean> {
    return (await this.#scope.store.read(({ firings }) => firings.inState('available', 1))).length > 0;
  }

  /** Ends what it holds, and takes nothing more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#held);
  }

  async #work(held: Held): Promise<void> {
    const beat = setInterval(() => void this.#beat(held), heartbeat);
    try {
      const event = await this.#outcome(held);
      await change(this.#scope, (writing) => settle(writing, held, event));
    } finally {
      clearInterval(beat);
    }
  }

  /** Launches where a host can take it. What no host can take now waits, and has used up nothing. */
  async #outcome(held: Held): Promise<FiringEvent> {
    const { hold, schedule } = held;
    try {
      const reason = (await this.#isLaunched(held)) ? '' : await this.#search.look(schedule.workflowId);
      if (reason !== '') return { type: 'PARK', reason, ...hold };
      return { type: 'COMPLETE', agentId: await this.#launch(held), ...hold };
    } catch (error) {
      if (!isDatabaseFault(error) && error instanceof Failure && error.code === 'unavailable') {
        return { type: 'PARK', reason: await this.#search.refuse(schedule.workflowId, error.message), ...hold };
      }
      return outcomeOf(error, held, this.#scope.clock.now());
    }
  }

  /** Whether an earlier attempt has launched the agent: that waits for no host any more. */
  async #isLaunched({ firing, schedule }: Held): Promise<boolean> {
    const agent = await this.#scope.store.read(({ agents }) => agents.findByKey(schedule.id, keyOf(firing)));
    return agent !== undefined;
  }

  async #beat({ firing, hold }: Held): Promise<void> {
    try {
      await change(this.#scope, async (writing) => {
        const current = await writing.tables.firings.find(firing.id);
        if (current) await moveFiring(writing, current, { type: 'HEARTBEAT', until: writing.now + lease, ...hold });
      });
    } catch (error) {
      this.#scope.log.warn({ err: error, runId: firing.id }, 'a sign of life of a firing could not be written');
    }
  }

  /** Launches the agent and completes the firing in one write, so that neither is there without the other. */
  async #launch(held: Held): Promise<string> {
    const { id: scheduleId, prompt, workflowId, name: title, hideAgents: hidden } = held.schedule;
    const idempotencyKey = keyOf(held.firing);
    const agent = await launchAgent(
      { prompt, workflowId, title, idempotencyKey },
      {
        caller: { kind: 'person' },
        createdBy: scheduleId,
        scheduleId,
        hidden,
        async settle(writing, agentId) {
          const settled = await settle(writing, held, { type: 'COMPLETE', agentId, ...held.hold });
          if (settled?.state === 'completed') return;
          throw new Failure('aborted', 'the run was cancelled or given to another worker, so nothing was launched');
        },
      },
      this.#scope,
    );
    return agent.id ?? '';
  }
}

/** What its agent is created with, so that it is launched once. */
function keyOf({ id }: StoredFiring): string {
  return `firing-${id}`;
}

async function claim(writing: Change, room: number): Promise<Held[]> {
  const { tables, now } = writing;
  const held: Held[] = [];
  for (const firing of await tables.firings.inState('available', room)) {
    const schedule = await tables.schedules.find(firing.schedule);
    if (schedule === undefined) continue;
    const token = randomUUID();
    const taken = await moveFiring(writing, firing, { type: 'CLAIM', lease: token, until: now + lease });
    if (taken === undefined) continue;
    const { attempt } = taken.snapshot.context as FiringContext;
    held.push({ firing: taken, schedule, hold: { attempt, lease: token } });
  }
  return held;
}

/** Tells a firing what came of it; undefined where it is over or somebody else's by now. */
async function settle(writing: Change, { firing }: Held, event: FiringEvent): Promise<StoredFiring | undefined> {
  const current = await writing.tables.firings.find(firing.id);
  return current && moveFiring(writing, current, event);
}

/** What a launch that did not come about means for its firing. */
function outcomeOf(error: unknown, { hold, firing }: Held, now: number): FiringEvent {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Failure ? error.code : 'internal';
  // A full disk is no ceiling: the firing waits until there is room.
  if (isDatabaseFault(error)) return { type: 'SNOOZE', reason, until: now + backoff.full, ...hold };
  if (code === 'resource_exhausted') return { type: 'GIVE_UP', reason: `ceiling reached: ${reason}`, ...hold };
  if (code === 'not_found') return { type: 'GIVE_UP', reason: `workflow gone: ${reason}`, ...hold };
  const pause = Math.min(backoff.first * 2 ** (hold.attempt - 1), backoff.most);
  // Spread by a fifth, so that firings that failed together are not tried together.
  return { type: 'FAIL', reason, until: now + pause + ((firing.id * 7919) % 1000) * (pause / 5_000), ...hold };
}
