import { type HostDefaults, type HostLimits, limitsOf } from '#actors/registry/host/settings/host-limits.ts';
import { type HostAgentCounts, noAgents } from '#store/agent/host-agent-counts.ts';
import type { StoredHost } from '#store/host/host-entity.ts';

type LimitedHost = Pick<StoredHost, 'id' | 'name' | keyof HostLimits>;

/** How much room hosts have for further launches. It counts what `take` adds. */
export class HostRoom {
  readonly #placed: Map<string, HostAgentCounts>;
  readonly #defaults: HostDefaults;

  constructor(placed: ReadonlyMap<string, HostAgentCounts>, defaults: HostDefaults) {
    this.#placed = new Map(placed);
    this.#defaults = defaults;
  }

  /** Returns why a host has no room for a launch, with or without a setup script; undefined if it has room. */
  whyFull(host: LimitedHost, hasSetup: boolean): string | undefined {
    const { agents, launches, setups } = this.#on(host);
    const { maxAgents, maxLaunches, maxSetups } = limitsOf(host, this.#defaults);
    if (agents >= maxAgents) return `${host.name} has ${agents} of at most ${maxAgents} agents`;
    if (launches >= maxLaunches) return `${host.name} has ${launches} of at most ${maxLaunches} launches in progress`;
    if (!hasSetup || setups < maxSetups) return undefined;
    return `${host.name} has ${setups} of at most ${maxSetups} setup scripts to run`;
  }

  /** Counts a launch on a host. */
  take(host: LimitedHost, hasSetup: boolean): void {
    const { agents, atWork, launches, setups } = this.#on(host);
    const taken = { agents: agents + 1, atWork: atWork + 1, launches: launches + 1, setups: setups + Number(hasSetup) };
    this.#placed.set(host.id, taken);
  }

  /** How many agents a host has. */
  agentsOn(host: LimitedHost): number {
    return this.#on(host).agents;
  }

  #on({ id }: LimitedHost): HostAgentCounts {
    return this.#placed.get(id) ?? noAgents;
  }
}
