import { askHost } from '#actors/registry/host/host-call.ts';
import type { ReportedPlace } from '#actors/registry/launch/prepare.ts';
import { byAgents } from '#actors/registry/placement/fleet.ts';
import { type CandidateHosts, waitsFor } from '#actors/registry/placement/host-fit.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';
import { findCandidateHosts } from './candidate-hosts.ts';
import type { ScheduleScope } from './schedule-scope.ts';

/** How long a failed search is reused if the candidates are the same, in milliseconds. */
const reusedMs = 5_000;

/** The last search for a workflow. */
interface CachedSearch {
  readonly at: number;
  /** A text that identifies the candidates and what they were asked. */
  readonly among: string;
  readonly why: string;
}

/**
 * The result of a search: a host that can take the agent, or why none can. Neither if the workflow does not exist: then
 * the launch reports that.
 */
interface SearchResult {
  readonly found?: ReportedPlace;
  /** Empty unless no host can take it. */
  readonly why: string;
}

type Scope = Pick<ScheduleScope, 'store' | 'lines' | 'clock'>;

/** Asks hosts whether they can take an agent of a workflow: whether they have its directory. */
export class HostSearch {
  readonly #scope: Scope;
  readonly #found = new Map<string, CachedSearch>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Where an agent of a workflow can start, or which hosts it waits for. A negative result is reused for a moment. */
  async look(workflowId: string): Promise<SearchResult> {
    const known = this.#found.get(workflowId);
    const { workflow, candidates } = await this.#candidates(workflowId);
    if (workflow === undefined) return { why: '' };
    const now = this.#scope.clock.now();
    const isGood = known?.among === describeCandidates(workflow, candidates) && Math.abs(now - known.at) < reusedMs;
    if (isGood && known.why !== '') return { why: known.why };
    const outcome = await this.#ask(workflow, candidates);
    this.#note(workflow, candidates, outcome.why);
    return outcome;
  }

  /**
   * Records that a candidate did not take the agent, so that it is not asked again at once. Returns the wait reason.
   */
  async refuse(workflowId: string, reason: string): Promise<string> {
    const { workflow, candidates } = await this.#candidates(workflowId);
    const why = waitsFor([reason]);
    return workflow === undefined ? why : this.#note(workflow, candidates, why);
  }

  #note(workflow: StoredWorkflow, candidates: CandidateHosts, why: string): string {
    if (this.#found.size > 1_000) this.#found.clear();
    this.#found.set(workflow.id, { at: this.#scope.clock.now(), among: describeCandidates(workflow, candidates), why });
    return why;
  }

  #candidates(
    workflowId: string,
  ): Promise<{ readonly workflow: StoredWorkflow | undefined; readonly candidates: CandidateHosts }> {
    return this.#scope.store.read(async (tables) => {
      const workflow = await tables.workflows.find(workflowId);
      if (workflow === undefined) return { workflow, candidates: { candidates: [], lacks: [] } };
      const { candidates, lacks } = await findCandidateHosts(tables, workflow);
      const placed = await tables.agents.countPlaced();
      return { workflow, candidates: { candidates: candidates.toSorted(byAgents({ placed })), lacks } };
    });
  }

  async #ask({ cwd: directory }: StoredWorkflow, { candidates, lacks }: CandidateHosts): Promise<SearchResult> {
    const reasons = [...lacks];
    for (const host of candidates) {
      const said = await this.#lookFor(directory, host);
      if (typeof said !== 'string') return { found: { directory, host, said }, why: '' };
      reasons.push(said);
    }
    return { why: waitsFor(reasons) };
  }

  /** What a host reports about a directory, or why it cannot take the agent. */
  async #lookFor(path: string, host: StoredHost): Promise<ReportedPlace['said'] | string> {
    try {
      const found = await askHost(this.#scope.lines, host, hostCalls.directory, { path });
      return found.isDirectory ? found : `${host.name} has no directory ${quoted(path)}`;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'unavailable') throw error;
      return `${host.name} does not answer`;
    }
  }
}

function describeCandidates(
  { cwd, host, hostSelector, harness }: StoredWorkflow,
  { candidates, lacks }: CandidateHosts,
): string {
  return JSON.stringify([cwd, host, hostSelector, harness, candidates.map(({ id }) => id).toSorted(), lacks]);
}
