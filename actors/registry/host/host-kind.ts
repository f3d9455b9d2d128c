import type { Kind } from '#actors/registry/kernel/instance.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { type HostEvent, hostDefinition, type hostMachine, readHostContext } from '#machines/host/host.ts';
import type { Tables } from '#store/tables.ts';
import { isUnadmitted } from './new-hosts.ts';

/**
 * Hosts as the registry stores them. The logs skip what an unadmitted host without agents does on its own, because it
 * could fill them by joining and leaving without end.
 */
export const hostKind: Kind<'host', typeof hostMachine> = {
  machine: 'host',
  definition: hostDefinition,
  columns(snapshot, now, before) {
    const { name, harnesses } = readHostContext(snapshot);
    const isSame = phaseOf(before.snapshot.value) === phaseOf(snapshot.value);
    return { name, harnesses, stateSince: isSame ? before.stateSince : now };
  },
  toFact: (fact, { id }) => ({ ...fact, subjectId: id }),
  isLogged: async (tables, { id }, event, { snapshot }) =>
    !isUnadmitted({ snapshot }) || !isAutomatic(event) || (await hasAgents(tables, id)),
};

/** Whether no person caused an event. */
function isAutomatic({ type }: HostEvent): boolean {
  return type === 'BEAT' || type === 'DEADLINE';
}

/** Whether a host has agents. If so, a person has named it, and what happens to it matters to someone. */
async function hasAgents({ agents }: Tables, hostId: string): Promise<boolean> {
  return (await agents.standingOn(hostId, 1)).count > 0;
}
