import { whyFiringWaits } from '#actors/registry/budget/count-launch.ts';
import { limitOfAll } from '#actors/registry/limit/launch-limit.ts';
import { waitsFor } from '#actors/registry/placement/host-fit.ts';
import { readFiringContext } from '#machines/schedule/firing-context.ts';
import type { StoredFiring } from '#store/schedule/firing-entity.ts';
import type { StoredSchedule } from '#store/schedule/schedule-entity.ts';
import type { Tables } from '#store/tables.ts';
import { findCandidateHosts } from './candidate-hosts.ts';

/** Whether a due firing may start. */
export interface Admission {
  readonly may: 'start' | 'wait' | 'skip';
  /** Why it may not. */
  readonly reason: string;
  /** Whether it waits for an earlier run to end, for a host, for a budget, or for the end of a limit of its account. */
  readonly waitsFor?: 'run' | 'host' | 'budget' | 'account';
}

/** Decides whether firings may start. It caches what it reads, so it is for one transaction only. */
export class FiringAdmission {
  readonly #tables: Tables;
  readonly #now: number;
  readonly #hosts = new Map<string, string>();
  readonly #limits = new Map<string, string>();

  /** `now`: milliseconds since 1970. */
  constructor(tables: Tables, now: number) {
    this.#tables = tables;
    this.#now = now;
  }

  /** Whether a firing of a schedule may start; `firing` is undefined if it is not saved yet. */
  async admission(schedule: StoredSchedule, firing?: StoredFiring): Promise<Admission> {
    const { overlap, workflowId } = schedule;
    const isFree = overlap === 'allow' || (firing !== undefined && isByHand(firing));
    const holder = isFree ? undefined : await this.#unfinishedRun(schedule.id, firing);
    if (holder !== undefined && overlap === 'skip') return { may: 'skip', reason: `overlap: ${holder}` };
    if (holder !== undefined) return { may: 'wait', waitsFor: 'run', reason: `waits: ${holder}` };
    const budget = await whyFiringWaits(this.#tables, [schedule.id, workflowId], this.#now);
    if (budget !== '') return { may: 'wait', waitsFor: 'budget', reason: budget };
    const reason = await this.#missingHosts(workflowId);
    const limit = reason === '' && !(firing !== undefined && isByHand(firing)) ? await this.#limit(workflowId) : '';
    if (limit !== '') return { may: 'wait', waitsFor: 'account', reason: limit };
    return reason === '' ? { may: 'start', reason } : { may: 'wait', waitsFor: 'host', reason };
  }

  /** Which earlier firing or its agent is still running; undefined if none is. */
  async #unfinishedRun(scheduleId: string, firing: StoredFiring | undefined): Promise<string | undefined> {
    const { firings, agents } = this.#tables;
    const earlier = (await firings.liveOf(scheduleId)).find(({ id }) => firing === undefined || id < firing.id);
    if (earlier !== undefined) return `run ${earlier.id} has not ended`;
    const busy = await agents.findWorking(scheduleId);
    return busy && `agent ${busy.name} (${busy.id}) of an earlier run is at work`;
  }

  /** Which limit of its account a workflow's firing waits for; empty if a host may take it without. */
  async #limit(workflowId: string): Promise<string> {
    const known = this.#limits.get(workflowId);
    if (known !== undefined) return known;
    const workflow = await this.#tables.workflows.find(workflowId);
    const hosts = workflow && (await findCandidateHosts(this.#tables, workflow)).candidates;
    const why = workflow && hosts ? await limitOfAll(this.#tables, workflow, hosts) : '';
    this.#limits.set(workflowId, why);
    return why;
  }

  /** Which hosts a workflow's firing waits for, judged by their rows alone; empty if one may take it. */
  async #missingHosts(workflowId: string): Promise<string> {
    const known = this.#hosts.get(workflowId);
    if (known !== undefined) return known;
    const workflow = await this.#tables.workflows.find(workflowId);
    const found = workflow && (await findCandidateHosts(this.#tables, workflow));
    const why = found === undefined || found.candidates.length > 0 ? '' : waitsFor(found.lacks);
    this.#hosts.set(workflowId, why);
    return why;
  }
}

/** Whether a person fired it. Then it does not wait for earlier runs, and waits for a host without limit. */
export function isByHand({ snapshot }: Pick<StoredFiring, 'snapshot'>): boolean {
  return readFiringContext(snapshot).byHand === true;
}
