import type { Kind } from '#actors/registry/kernel/instance.ts';
import { type HostEvent, hostDefinition, type hostMachine, readHostContext } from '#machines/host/host.ts';
import type { Tables } from '#store/store.ts';
import { isUnadmitted } from './newcomers.ts';

/**
 * Hosts as the registry stores them. What an unadmitted host without agents does on its own makes no fact and no
 * transition, because it could join and leave without end.
 */
export const hostKind: Kind<'host', typeof hostMachine> = {
  machine: 'host',
  definition: hostDefinition,
  columns(snapshot) {
    const { name, harnesses } = readHostContext(snapshot);
    return { name, harnesses };
  },
  toFact: (fact, { id }) => ({ ...fact, subjectId: id }),
  isTold: async (tables, { id }, event, { snapshot }) =>
    !isUnadmitted({ snapshot }) || !isOwnDoing(event) || (await hasAgents(tables, id)),
};

/** Whether what moves a host is its own doing, and no person's. */
function isOwnDoing({ type }: HostEvent): boolean {
  return type === 'BEAT' || type === 'DEADLINE';
}

/** Whether a host has agents: a person has named it then, and what happens to it is somebody's news. */
async function hasAgents({ agents }: Tables, hostId: string): Promise<boolean> {
  return (await agents.standingOn(hostId, 1)).count > 0;
}
