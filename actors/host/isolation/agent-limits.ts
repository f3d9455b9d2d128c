import { Failure } from '#contract/failure.ts';
import { type Check, well } from '#contract/host/check.ts';
import { type Limits, limitsIn, limitText } from '#contract/host/limits.ts';
import type { Log } from '#contract/process-context.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import { Cgroup, exceededIn, mebibyte } from '#world/isolation/cgroup.ts';
import type { Cgroups } from '#world/isolation/cgroups.ts';
import { joining, tryJoining } from '#world/isolation/joining.ts';
import { endContainers } from '#world/process/container-init.ts';
import { ContainerGroups } from './container-groups.ts';
import {
  countedFiles,
  isHeldByEngine,
  type LimitedAgent,
  measuredFolders,
  noProcessorLimit,
  nothingToMeasure,
  sizeOf,
  textOf,
} from './limited-agent.ts';
import type { Around } from './runtimes.ts';
import type { IsolatedSubject } from './sandbox-spec.ts';

/** How long a group is kept for a program that is about to join it, in milliseconds. */
const joinMs = 60_000;

export interface AgentLimitsOptions {
  readonly cgroups: Cgroups;
  /** The private folders of isolated agents. */
  readonly sandboxes: string;
  readonly log: Pick<Log, 'warn' | 'info'>;
}

const unlimited: Around = (argv) => argv;

/**
 * Limits what agents use: the kernel holds memory and processes by a control group of each agent, in containers by that of
 * the engine; disk is measured. An agent that exceeds a limit is ended with everything that it started.
 */
export class AgentLimits {
  readonly #options: AgentLimitsOptions;
  readonly #agents = new Map<string, LimitedAgent>();
  readonly #containers = new ContainerGroups();
  #hasSwept = false;

  constructor(options: AgentLimitsOptions) {
    this.#options = options;
  }

  /**
   * How a program of an agent is started so that the limits of its launch hold; as it is if there are none.
   * @throws ISOLATION_UNAVAILABLE when this host cannot hold them
   */
  around(subject: IsolatedSubject, program: { readonly isBeside: boolean }): Promise<Around> {
    return inTurn(subject.id, () => this.#around(subject, program));
  }

  async #around(subject: IsolatedSubject, { isBeside }: { readonly isBeside: boolean }): Promise<Around> {
    const limits = limitsIn(subject.launch.grants);
    if (limits === undefined) {
      if (!isBeside) await this.#forget(subject.id);
      return unlimited;
    }
    const { cgroups, sandboxes } = this.#options;
    const isChild = subject.id !== subject.family;
    if (limits.diskMib && !isChild && measuredFolders(subject, sandboxes).length === 0) throw nothingToMeasure();
    const known = this.#agents.get(subject.id);
    // What the agent exceeded in an earlier window counts no longer.
    if (!isBeside && this.exceeded(subject.id) !== undefined) await cgroups.group(subject.id)?.remove();
    const kept = isBeside ? known : undefined;
    this.#agents.set(subject.id, { ...kept, limits, subject, joinedAt: performance.now() });
    if (subject.launch.isolation === 'container') return unlimited;
    const group = this.#makeGroup(subject.id, limits);
    await tryJoining(group.joins);
    return (argv) => joining(group.joins, argv);
  }

  /** Notes the limits of an agent whose window an earlier process has opened. */
  keep(subject: IsolatedSubject): void {
    const limits = limitsIn(subject.launch.grants);
    if (limits === undefined) return;
    this.#agents.set(subject.id, { joinedAt: performance.now(), ...this.#agents.get(subject.id), limits, subject });
  }

  /** The limit that an agent exceeded, such as `512 MiB of memory`; undefined if there is none. */
  exceeded(agentId: string): string | undefined {
    const agent = this.#agents.get(agentId);
    return agent && (agent.exceeded ?? textOf(agent, this.#options.cgroups.group(agentId)?.exceeded()));
  }

  /**
   * Ends the agents that exceeded what the kernel holds, and removes the groups of those that have ended.
   * @param isActive whether an agent has a window, or is being launched
   */
  async look(isActive: (agentId: string) => boolean): Promise<void> {
    this.#sweep();
    const active = [...this.#agents].filter(([agentId]) => isActive(agentId));
    const inContainers = active.filter(([, agent]) => isHeldByEngine(agent)).map(([agentId]) => agentId);
    const containers = await this.#containers.of(inContainers);
    const all = [...this.#agents].map(async ([agentId, agent]) => {
      if (agent.hasEnded) return;
      const group = containers.get(agentId);
      const exceeded = this.exceeded(agentId) ?? textOf(agent, group && exceededIn(group));
      if (exceeded !== undefined) return this.#end(agent, exceeded);
      const isIdle = !isActive(agentId) && performance.now() - agent.joinedAt > joinMs;
      if (isIdle) this.#options.cgroups.group(agentId)?.removeEmpty();
    });
    await Promise.all(all);
  }

  /** Ends the agents whose files take more disk than they may. */
  async measure(isActive: (agentId: string) => boolean): Promise<void> {
    for (const [agentId, agent] of this.#agents) {
      const { limits, subject, exceeded } = agent;
      if (!limits.diskMib || exceeded !== undefined || !isActive(agentId)) continue;
      const bytes = await sizeOf(subject, this.#options);
      const counted = await countedFiles(agent, this.#options.sandboxes);
      // It may have ended, or been launched again, while it was measured.
      const found = this.#agents.get(agentId);
      if (found?.limits.diskMib !== limits.diskMib || found.exceeded !== undefined) continue;
      const now = { ...found, counted };
      this.#agents.set(agentId, now);
      const isOver = bytes + counted.bytes > limits.diskMib * mebibyte && isActive(agentId);
      if (isOver) await this.#end(now, limitText('diskMib', limits.diskMib));
    }
  }

  /** Ends what is left of an agent that is archived or deleted, and removes its group. */
  forget(agentId: string): Promise<void> {
    return inTurn(agentId, () => this.#forget(agentId));
  }

  async #forget(agentId: string): Promise<void> {
    const { cgroups, log } = this.#options;
    const isGone = this.#agents.delete(agentId) ? await cgroups.group(agentId)?.remove() : undefined;
    if (isGone === false) log.warn({ agentId }, 'the control group of an agent cannot be removed');
    if (isGone !== undefined && this.#agents.size === 0) cgroups.close();
  }

  /** Whether limits of agents can be held here. */
  check(): Check {
    const { cgroups } = this.#options;
    const place = cgroups.open();
    if (this.#agents.size === 0) cgroups.close();
    if (typeof place === 'string')
      return well('limits', `memory, processes, processors and disk of agents cannot be limited: ${place}`);
    const processors = place.folders.cpu === undefined ? ', but not in their use of processors' : '';
    return well('limits', `agents can be limited by control groups in ${place.folders.memory}${processors}`);
  }

  /** Makes the group of an agent. @throws ISOLATION_UNAVAILABLE when there can be none */
  #makeGroup(agentId: string, limits: Limits): Cgroup {
    const place = this.#options.cgroups.open();
    if (typeof place === 'string') throw new Failure('ISOLATION_UNAVAILABLE', `cannot be limited: ${place}`);
    const group = new Cgroup(place, agentId);
    if (limits.cpuPercent && !group.limitsProcessors) throw noProcessorLimit(place);
    try {
      group.make(limits);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Failure(
        'ISOLATION_UNAVAILABLE',
        `cannot be limited: its control group cannot be made: ${why}. See \`muster doctor\``,
      );
    }
    return group;
  }

  /**
   * Removes empty groups that an earlier process left, of agents that are no longer here. One with processes stays: it
   * may be of an agent that only the database has forgotten, and a person decides about that.
   */
  #sweep(): void {
    if (this.#hasSwept) return;
    this.#hasSwept = true;
    const { cgroups } = this.#options;
    for (const name of cgroups.names()) if (!this.#agents.has(name)) cgroups.group(name)?.removeEmpty();
    if (this.#agents.size === 0) cgroups.close();
  }

  /** Ends an agent. If its processes do not end, the next look tries again. */
  #end(agent: LimitedAgent, exceeded: string): Promise<void> {
    const { id, launch } = agent.subject;
    const { log, cgroups } = this.#options;
    return inTurn(id, async () => {
      // It may have been launched again, or archived, before its turn.
      if (this.#agents.get(id) !== agent) return;
      const over = { ...agent, exceeded };
      this.#agents.set(id, over);
      if (agent.exceeded === undefined) log.info({ agentId: id, exceeded }, 'an agent exceeded a limit, and is ended');
      const isGone = (await cgroups.group(id)?.remove()) !== false;
      if (launch.isolation === 'container') await endContainers(id);
      if (isGone) this.#agents.set(id, { ...over, hasEnded: true });
      else log.warn({ agentId: id }, 'processes of an agent that exceeded a limit do not end');
    });
  }
}

/** Starting, ending and forgetting an agent wait for each other: none ends what the next one has started. */
function inTurn<Result>(agentId: string, work: () => Promise<Result>): Promise<Result> {
  return withMutex(`limits ${agentId}`, work);
}
