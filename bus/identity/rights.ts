import { inboxOf } from '#bus/subjects.ts';
import type { BusMember, BusUser } from '#contract/access/bus-member.ts';

/** The permissions of a member of the bus: its subjects, and whether it may answer any request that it receives. */
export interface Rights {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  readonly answers: boolean;
}

/**
 * The rights of each kind of process, without its inbox. A host's permissions never include another host's subjects.
 */
const rightsByKind: Readonly<Record<BusUser, (hostId: string) => Rights>> = {
  gateway: () => ({
    publish: ['rpc.>', 'registry.auth.>', 'registry.health.>'],
    subscribe: ['fact.>', 'pane.*.*', 'registry.present'],
    answers: false,
  }),
  // For each request that may be answered, the server keeps an entry for ten minutes, and checks all entries every
  // second: too many if each call of a person or an agent adds one. So the registry may publish answers without such an
  // entry.
  registry: () => ({
    publish: [
      'fact.>',
      'bell.>',
      'host.*.>',
      'registry.lease',
      'registry.claim',
      'registry.peer.*',
      'registry.present',
      ...['gateway', 'registry', 'host', 'start'].map((user) => `_INBOX.${user}.>`),
    ],
    subscribe: ['rpc.>', 'registry.>', '$SRV.>'],
    answers: false,
  }),
  host: (hostId) => ({
    publish: [`registry.from.${hostId}.>`, `pane.${hostId}.*`],
    subscribe: [`bell.${hostId}`, `host.${hostId}.>`],
    answers: true,
  }),
  start: () => ({ publish: ['$SRV.>'], subscribe: [], answers: false }),
};

/** The rights of a member, with its own inbox. */
export function rightsOf(member: BusMember): Rights {
  const rights = rightsByKind[member.kind](member.hostId ?? '');
  return { ...rights, subscribe: [...rights.subscribe, `${inboxOf(member)}.>`] };
}
