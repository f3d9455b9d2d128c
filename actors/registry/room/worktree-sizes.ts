import { askHost } from '#actors/registry/host/host-call.ts';
import type { HostScope } from '#actors/registry/host/host-scope.ts';
import { isOnline } from '#actors/registry/host/online.ts';
import { Poller } from '#actors/worker/poller.ts';
import type { Service } from '#actors/worker/service.ts';
import { Failure } from '#contract/failure.ts';
import { hostCalls } from '#contract/wire/registry.ts';

/** How often hosts are asked, and how old a measurement becomes, in milliseconds. */
const [every, freshMs] = [60_000, 3_600_000];
/** How many worktrees a host measures for one request. */
const perHost = 20;

const { measureRoom } = hostCalls;

/** Has hosts measure the worktrees of their agents, each about once an hour. One registry does so. */
export function measureWorktrees(scope: HostScope, peers: { readonly leads: boolean }): Service {
  /** When a measurement of each agent was last asked for: what cannot be measured is not asked for all the time. */
  const asked = new Map<string, number>();
  const pass = async (signal: AbortSignal): Promise<void> => {
    if (!peers.leads) return;
    const now = scope.clock.now();
    for (const [id, at] of asked) if (Math.abs(now - at) >= freshMs) asked.delete(id);
    const { stale, hosts } = await scope.store.read(async (tables) => {
      const online = (await tables.hosts.all()).filter(isOnline);
      const ids = online.map(({ id }) => id);
      return { hosts: online, stale: await tables.disks.stale(now - freshMs, ids) };
    });
    const onHosts = Map.groupBy(
      stale.filter(({ id }) => !asked.has(id)),
      ({ host }) => host,
    );
    const work = hosts.map(async (host) => {
      const ids = (onHosts.get(host.id) ?? []).slice(0, perHost).map(({ id }) => id);
      if (ids.length === 0 || signal.aborted) return;
      for (const id of ids) asked.set(id, now);
      await measureOn(scope, host, ids);
    });
    await Promise.all(work);
  };
  return new Poller({ name: 'sizes of worktrees', every, pass }, scope).start();
}

async function measureOn(
  { lines, store, clock, log }: HostScope,
  host: Parameters<typeof askHost>[1],
  agentIds: readonly string[],
): Promise<void> {
  try {
    const request = { agentIds: [...agentIds] };
    const { worktrees } = await askHost(lines, host, measureRoom, request, measureRoom.withinMs);
    await store.write(async ({ agents, disks }) => {
      for (const { agentId, bytes } of worktrees) {
        const agent = agentIds.includes(agentId) ? await agents.find(agentId) : undefined;
        if (agent?.host === host.id) await disks.set(agent, bytes, clock.now());
      }
    });
  } catch (err) {
    if (!(err instanceof Failure)) throw err;
    log.warn({ err, hostId: host.id }, 'worktrees were not measured');
  }
}
