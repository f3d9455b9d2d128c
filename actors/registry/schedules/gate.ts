import { hostsFor } from '#actors/registry/placement.ts';
import { Failure } from '#contract/failure.ts';
import type { StoredFiring } from '#store/firing-entity.ts';
import type { StoredSchedule } from '#store/schedule-entity.ts';
import type { Tables } from '#store/store.ts';

/** Whether a firing whose time has come may start. */
export interface Passage {
  readonly may: 'start' | 'wait' | 'skip';
  /** Why it may not. */
  readonly reason: string;
}

/** Decides whether firings may start, as things stand in one piece of work. */
export class Gate {
  readonly #tables: Tables;
  readonly #hosts = new Map<string, string>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Whether a firing of a schedule may start; `firing` is undefined for one that is still to be written down. */
  async passage(schedule: StoredSchedule, firing?: StoredFiring): Promise<Passage> {
    const { overlap, workflowId } = schedule;
    const holder = overlap === 'allow' ? undefined : await this.#atWork(schedule.id, firing);
    if (holder !== undefined && overlap === 'skip') return { may: 'skip', reason: `overlap: ${holder}` };
    if (holder !== undefined) return { may: 'wait', reason: `waits: ${holder}` };
    const away = await this.#away(workflowId);
    return away === '' ? { may: 'start', reason: '' } : { may: 'wait', reason: `waits: ${away}` };
  }

  /** What of an earlier firing is not over; undefined where all is. */
  async #atWork(scheduleId: string, firing: StoredFiring | undefined): Promise<string | undefined> {
    const { firings, agents } = this.#tables;
    const earlier = (await firings.liveOf(scheduleId)).find(({ id }) => firing === undefined || id < firing.id);
    if (earlier !== undefined) return `run ${earlier.id} has not ended`;
    const busy = await agents.atWorkOf(scheduleId);
    return busy && `agent ${busy.name} (${busy.id}) of an earlier run is at work`;
  }

  /** Why no host can take an agent of a workflow now; empty where one can, or where the launch itself will say. */
  async #away(workflowId: string): Promise<string> {
    const known = this.#hosts.get(workflowId);
    if (known !== undefined) return known;
    const workflow = await this.#tables.workflows.find(workflowId);
    const why = workflow === undefined ? '' : await this.#hostAway(workflow.host);
    this.#hosts.set(workflowId, why);
    return why;
  }

  async #hostAway(host: string): Promise<string> {
    try {
      await hostsFor(this.#tables, host || undefined, undefined);
      return '';
    } catch (error) {
      if (error instanceof Failure && error.code === 'unavailable') return error.message;
      return '';
    }
  }
}
