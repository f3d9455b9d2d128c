import { type HostLimits, limitsOf } from '#actors/registry/host/settings/host-limits.ts';
import { type HostAgentCounts, noAgents } from '#store/agent/host-agent-counts.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import { type RoomScope, whyBelowFloor } from './disk-floor.ts';

type LimitedHost = Pick<StoredHost, 'id' | 'name' | keyof HostLimits>;

/** How much room hosts have for further launches. It counts what `take` adds. */
export class HostRoom {
  readonly #placed: Map<string, HostAgentCounts>;
  readonly #scope: RoomScope;

  constructor(placed: ReadonlyMap<string, HostAgentCounts>, scope: RoomScope) {
    this.#placed = new Map(placed);
    this.#scope = scope;
  }

  /** Returns why a host has no room for a launch, with or without a setup script; undefined if it has room. */
  whyFull(host: StoredHost, hasSetup: boolean): string | undefined {
    const { agents, atWork, launches, setups } = this.#on(host);
    const limits = limitsOf(host, this.#scope.hostDefaults);
    const { maxAgents, maxAtWork, maxLaunches, maxSetups } = limits;
    const low = whyBelowFloor(this.#scope.beatBuffer.freshen(host), limits);
    if (low !== undefined) return low;
    if (atWork >= maxAtWork) return `${host.name} has ${atWork} of at most ${maxAtWork} agents at work`;
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
