import { timeOf } from '#actors/registry/agent-resource.ts';
import { handler } from '#actors/registry/handler.ts';
import { isOnline } from '#actors/registry/placement.ts';
import { listHosts } from '#contract/operations/host.ts';

/** Lists every host that ever came on line. */
export const listHostsHandler = handler(listHosts, (_request, _caller, { store }) =>
  store.read(async ({ hosts, agents }) => {
    const load = await agents.countByHost();
    const all = await hosts.all();
    return {
      hosts: all.map((host) => ({
        id: host.id,
        name: host.name,
        state: isOnline(host) ? ('HOST_STATE_ONLINE' as const) : ('HOST_STATE_LOST' as const),
        seenAt: timeOf(host.seenAt),
        agents: load.get(host.id) ?? 0,
        harnesses: [...host.harnesses],
      })),
    };
  }),
);
