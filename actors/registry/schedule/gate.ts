import { readFiringContext } from '#machines/schedule/firing-context.ts';
import type { StoredFiring } from '#store/schedule/firing-entity.ts';
import type { StoredSchedule } from '#store/schedule/schedule-entity.ts';
import type { Tables } from '#store/store.ts';
import { findTakers, waitsFor } from './takers.ts';

/** Whether a firing whose time has come may start. */
export interface Admission {
  readonly may: 'start' | 'wait' | 'skip';
  /** Why it may not. */
  readonly reason: string;
  /** Whether it waits for an earlier run to end, or for a host. */
  readonly waitsFor?: 'run' | 'host';
}

/** Decides whether firings may start, as things are in one piece of work. */
export class Gate {
  readonly #tables: Tables;
  readonly #hosts = new Map<string, string>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Whether a firing of a schedule may start; `firing` is undefined for one that is still to be recorded. */
  async admission(schedule: StoredSchedule, firing?: StoredFiring): Promise<Admission> {
    const { overlap, workflowId } = schedule;
    const isFree = overlap === 'allow' || (firing !== undefined && isByHand(firing));
    const holder = isFree ? undefined : await this.#atWork(schedule.id, firing);
    if (holder !== undefined && overlap === 'skip') return { may: 'skip', reason: `overlap: ${holder}` };
    if (holder !== undefined) return { may: 'wait', waitsFor: 'run', reason: `waits: ${holder}` };
    const reason = await this.#away(workflowId);
    return reason === '' ? { may: 'start', reason } : { may: 'wait', waitsFor: 'host', reason };
  }

  /** What of an earlier firing is not over; undefined if all is. */
  async #atWork(scheduleId: string, firing: StoredFiring | undefined): Promise<string | undefined> {
    const { firings, agents } = this.#tables;
    const earlier = (await firings.liveOf(scheduleId)).find(({ id }) => firing === undefined || id < firing.id);
    if (earlier !== undefined) return `run ${earlier.id} has not ended`;
    const busy = await agents.findWorking(scheduleId);
    return busy && `agent ${busy.name} (${busy.id}) of an earlier run is at work`;
  }

  /** For which hosts an agent of a workflow waits, as far as is known without asking them; empty if one may take it. */
  async #away(workflowId: string): Promise<string> {
    const known = this.#hosts.get(workflowId);
    if (known !== undefined) return known;
    const workflow = await this.#tables.workflows.find(workflowId);
    const found = workflow && (await findTakers(this.#tables, workflow));
    const why = found === undefined || found.takers.length > 0 ? '' : waitsFor(found.lacks);
    this.#hosts.set(workflowId, why);
    return why;
  }
}

/** Whether a person fired it: it waits for no agent of an earlier run, and for a host without end. */
export function isByHand({ snapshot }: Pick<StoredFiring, 'snapshot'>): boolean {
  return readFiringContext(snapshot).byHand === true;
}
