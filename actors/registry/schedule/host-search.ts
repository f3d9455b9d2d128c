import { askHost } from '#actors/registry/host/host-call.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';
import type { ScheduleScope } from './schedule-scope.ts';
import { type Takers, takersOf, waitsFor } from './takers.ts';

/** For so long hosts that cannot take it are not asked again while nothing else has changed, in milliseconds. */
const goodFor = 5_000;

/** What was found for a workflow. */
interface Found {
  readonly at: number;
  /** Which hosts might take it, and where. */
  readonly among: string;
  readonly why: string;
}

type Scope = Pick<ScheduleScope, 'store' | 'lines' | 'clock'>;

/** Asks hosts whether they can take an agent of a workflow: whether its directory is there. */
export class HostSearch {
  readonly #scope: Scope;
  readonly #found = new Map<string, Found>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /**
   * For which hosts a firing into a workflow waits; empty where one can take it, and where the launch itself says what is wrong.
   * That none can is believed for a moment; that one can is asked each time.
   */
  async look(workflowId: string): Promise<string> {
    const known = this.#found.get(workflowId);
    const { workflow, takers } = await this.#takers(workflowId);
    if (workflow === undefined) return '';
    const now = this.#scope.clock.now();
    const isGood = known?.among === amongOf(workflow, takers) && Math.abs(now - known.at) < goodFor;
    return isGood && known.why !== '' ? known.why : this.#note(workflow, takers, await this.#ask(workflow, takers));
  }

  /** Notes that a host which can take it did not, so that it is not asked again at once. */
  async refuse(workflowId: string, reason: string): Promise<string> {
    const { workflow, takers } = await this.#takers(workflowId);
    const why = waitsFor([reason]);
    return workflow === undefined ? why : this.#note(workflow, takers, why);
  }

  #note(workflow: StoredWorkflow, takers: Takers, why: string): string {
    if (this.#found.size > 1_000) this.#found.clear();
    this.#found.set(workflow.id, { at: this.#scope.clock.now(), among: amongOf(workflow, takers), why });
    return why;
  }

  #takers(workflowId: string): Promise<{ readonly workflow: StoredWorkflow | undefined; readonly takers: Takers }> {
    return this.#scope.store.read(async (tables) => {
      const workflow = await tables.workflows.find(workflowId);
      if (workflow === undefined) return { workflow, takers: { takers: [], lacks: [] } };
      const { takers, lacks } = await takersOf(tables, workflow);
      const load = await tables.agents.countByHost();
      return {
        workflow,
        takers: { takers: takers.toSorted((a, b) => (load.get(a.id) ?? 0) - (load.get(b.id) ?? 0)), lacks },
      };
    });
  }

  async #ask({ cwd }: StoredWorkflow, { takers, lacks }: Takers): Promise<string> {
    const told = [...lacks];
    for (const host of takers) {
      const lack = await this.#lackOf(host, cwd);
      if (lack === undefined) return '';
      told.push(lack);
    }
    return waitsFor(told);
  }

  async #lackOf(host: StoredHost, path: string): Promise<string | undefined> {
    try {
      const { isDirectory } = await askHost(this.#scope.lines, host, hostCalls.directory, { path });
      return isDirectory ? undefined : `${host.name} has no directory ${quoted(path)}`;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'unavailable') throw error;
      return `${host.name} does not answer`;
    }
  }
}

function amongOf({ cwd, host, harness }: StoredWorkflow, { takers, lacks }: Takers): string {
  return JSON.stringify([cwd, host, harness, takers.map(({ id }) => id).toSorted(), lacks]);
}
