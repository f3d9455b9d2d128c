import { askHost } from '#actors/registry/host/host-call.ts';
import type { HostScope } from '#actors/registry/host/host-scope.ts';
import { isOnline } from '#actors/registry/host/online.ts';
import { Poller } from '#actors/worker/poller.ts';
import type { Service } from '#actors/worker/service.ts';
import { Failure } from '#contract/failure.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { UnmeasuredAgent } from '#store/agent/disk-table.ts';

/** How often hosts are asked, and how old a measurement becomes, in milliseconds. */
const [every, freshMs] = [60_000, 3_600_000];
/** How many worktrees a host measures for one request. */
const perHost = 20;

const { measureRoom } = hostCalls;

/** Has hosts measure the worktrees of their agents, each about once an hour. One registry does so. */
export function measureWorktrees(scope: HostScope, peers: { readonly leads: boolean }): Service {
  /** When the measurement of each unmeasured agent was last requested: some can never be measured. */
  const asked = new Map<string, number>();
  const pass = async (signal: AbortSignal): Promise<void> => {
    if (!peers.leads) return;
    const now = scope.clock.now();
    const { stale, hosts } = await scope.store.read(async (tables) => {
      const online = (await tables.hosts.all()).filter(isOnline);
      const ids = online.map(({ id }) => id);
      return { hosts: online, stale: await tables.disks.stale(now - freshMs, ids) };
    });
    const unmeasured = new Set(stale.map(({ id }) => id));
    for (const id of asked.keys()) if (!unmeasured.has(id)) asked.delete(id);
    const triedAt = ({ id, diskMeasuredAt }: UnmeasuredAgent): number =>
      Math.max(diskMeasuredAt ?? 0, asked.get(id) ?? 0);
    const due = stale.filter(({ id }) => Math.abs(now - (asked.get(id) ?? 0)) >= freshMs);
    // Those that were tried longest ago come first, so that each has its turn on a host with many.
    const inOrder = due.toSorted((a, b) => triedAt(a) - triedAt(b));
    const onHosts = Map.groupBy(inOrder, ({ host }) => host);
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
