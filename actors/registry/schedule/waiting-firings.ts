import { change } from '#actors/registry/agent/change.ts';
import type { WriteScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { QuietSpan } from '#actors/worker/quiet-span.ts';
import { type FiringEvent, readFiringContext } from '#machines/schedule/firing-context.ts';
import { decideMissed } from '#machines/schedule/missed.ts';
import type { StoredFiring } from '#store/schedule/firing-entity.ts';
import type { StoredSchedule } from '#store/schedule/schedule-entity.ts';
import type { Tables } from '#store/tables.ts';
import { type Admission, FiringAdmission, isByHand } from './firing-admission.ts';
import { advanceFiring } from './firings.ts';
import type { HostSearch } from './host-search.ts';
import type { ScheduleScope } from './schedule-scope.ts';

type Scope = WriteScope & Pick<ScheduleScope, 'log' | 'clockSteps'>;

/** How many waiting firings one pass checks. The next pass continues with the following ones. */
const atOnce = 200;

interface WaitingFiring {
  readonly firing: StoredFiring;
  readonly schedule: StoredSchedule;
  readonly admission: Admission;
}

/**
 * Starts firings once they need not wait any longer, updates the wait reason of the others, and cancels those that have
 * been missed meanwhile.
 */
export class WaitingFirings {
  readonly #scope: Scope;
  readonly #search: HostSearch;
  readonly #quiet: QuietSpan;
  #after = 0;

  constructor(scope: Scope, search: HostSearch) {
    this.#scope = scope;
    this.#search = search;
    this.#quiet = new QuietSpan(scope);
  }

  /** One pass. Writes only if something has changed. */
  async look(): Promise<void> {
    if (!(await this.#quiet.isOver(() => this.#nextDue()))) return;
    const waiting = await this.#scope.store.read((tables) => this.#waiting(tables));
    const workflows = new Set(waiting.filter(({ admission }) => admission.may === 'start').map(workflowOf));
    const whys = new Map(
      await Promise.all([...workflows].map(async (id) => [id, await this.#waitReason(id)] as const)),
    );
    const found = waiting.map((one) => ({ ...one, admission: toAdmission(one, whys.get(workflowOf(one)) ?? '') }));
    const now = this.#scope.clock.now();
    const events = await this.#scope.store.read(async (tables) => {
      const wakes: { readonly id: number; readonly event: FiringEvent }[] = [];
      for (const one of found) {
        const event = await eventOf(tables, one, now);
        if (event !== undefined) wakes.push({ id: one.firing.id, event });
      }
      return wakes;
    });
    if (events.length === 0) return;
    const { clockSteps } = this.#scope;
    await change(this.#scope, async (writing) => {
      if (await clockSteps.isCurrent(writing.tables)) await wakeAll(writing, events);
    });
  }

  /** Waiting firings are always due, because what they wait for may be a host's answer. */
  async #nextDue(): Promise<number | undefined> {
    const waiting = await this.#scope.store.read(({ firings }) => firings.inState('pending', 1));
    return waiting.length > 0 ? 0 : undefined;
  }

  async #waiting(tables: Tables): Promise<readonly WaitingFiring[]> {
    const page = await tables.firings.inState('pending', atOnce, this.#after);
    this.#after = page.length < atOnce ? 0 : (page.at(-1)?.id ?? 0);
    const admissions = new FiringAdmission(tables, this.#scope.clock.now());
    const waiting: WaitingFiring[] = [];
    for (const firing of page) {
      const schedule = await tables.schedules.find(firing.schedule);
      if (schedule !== undefined)
        waiting.push({ firing, schedule, admission: await admissions.admission(schedule, firing) });
    }
    return waiting;
  }

  /** Why no host can take it now; empty if one can, or if the hosts could not be asked: then the launch reports it. */
  async #waitReason(workflowId: string): Promise<string> {
    try {
      return (await this.#search.look(workflowId)).why;
    } catch (error) {
      this.#scope.log.warn({ err: error, workflowId }, 'no host could be queried for a schedule');
      return '';
    }
  }
}

const workflowOf = ({ schedule }: WaitingFiring): string => schedule.workflowId;

function toAdmission({ admission }: WaitingFiring, why: string): Admission {
  return admission.may !== 'start' || why === '' ? admission : { may: 'wait', waitsFor: 'host', reason: why };
}

/** The event for a waiting firing; undefined if nothing has changed for it. */
async function eventOf(tables: Tables, waiting: WaitingFiring, now: number): Promise<FiringEvent | undefined> {
  const { firing, admission } = waiting;
  const { may, reason } = admission;
  if (may === 'start') return { type: 'READY', until: null };
  if (may === 'skip') return { type: 'CANCEL', reason };
  const missed = admission.waitsFor !== 'run' && !isByHand(firing) ? await missedBy(tables, waiting, now) : '';
  if (missed !== '') return { type: 'CANCEL', reason: `${missed}; it ${reason.replace(/^waits/, 'waited')}` };
  const { message } = readFiringContext(firing.snapshot);
  return message === reason ? undefined : { type: 'WAIT', reason };
}

/** Why a firing that could not start in time is missed, by its schedule's policy; empty if it is not. */
async function missedBy({ firings }: Tables, { firing, schedule }: WaitingFiring, now: number): Promise<string> {
  const at = firing.scheduledFor;
  const live = await firings.liveOf(schedule.id);
  const latest = Math.max(at, ...live.filter((one) => !isByHand(one)).map(({ scheduledFor }) => scheduledFor));
  const [decision] = decideMissed({ occurrences: [at], latest, now }, schedule);
  return decision?.reason ?? '';
}

async function wakeAll(
  writing: Change,
  events: readonly { readonly id: number; readonly event: FiringEvent }[],
): Promise<void> {
  const { tables, now } = writing;
  const admissions = new FiringAdmission(tables, now);
  for (const { id, event } of events) {
    const firing = await tables.firings.find(id);
    const schedule = firing && (await tables.schedules.find(firing.schedule));
    if (firing?.state !== 'pending' || schedule === undefined) continue;
    // Check again: the previous firing may have taken its place.
    if (event.type === 'READY' && (await admissions.admission(schedule, firing)).may !== 'start') continue;
    await advanceFiring(writing, firing, event);
  }
}
