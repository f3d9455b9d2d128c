import { logTransition } from '#actors/registry/kernel/transition-log.ts';
import type { Decision } from '#machines/decide.ts';
import type { HostContext, HostEvent } from '#machines/host/host.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/store.ts';
import { isStranger } from './newcomers.ts';

/** What a host's machine made of an event; `before` and `event` are undefined for a new host. */
interface HostMove {
  readonly before: StoredHost['snapshot'] | undefined;
  readonly event: HostEvent | undefined;
  readonly decision: Decision;
}

/** What was last heard of a host, which is kept beside its machine: it changes with every beat and moves nothing. */
type Heard = Pick<StoredHost, 'seenAt' | 'condition' | 'codingHarnesses'>;

/**
 * Writes a host down, with what its machine made of an event. What a host that nobody has taken in and that has no agents does of its own
 * accord is no fact and no move on record: it could come and go without end.
 */
export async function writeHost(
  tables: Tables,
  id: string,
  move: HostMove,
  { seenAt, condition, codingHarnesses }: Heard,
): Promise<void> {
  const { hosts, facts } = tables;
  const { decision } = move;
  const { name, harnesses } = decision.snapshot.context as HostContext;
  const host = { id, name, harnesses, snapshot: decision.snapshot, seenAt, condition, codingHarnesses };
  await hosts.save(host);
  if (isStranger(host) && move.before !== undefined && isOwnDoing(move.event) && !(await hasAgents(tables, id))) return;
  await logTransition(tables, { machine: 'host', subject: id, ...move });
  await facts.append(decision.facts.map((fact) => ({ ...fact, subjectId: id })));
}

/** Whether what moves a host is its own doing, and no person's. */
function isOwnDoing(event: HostEvent | undefined): boolean {
  return event?.type === 'BEAT' || event?.type === 'SILENT';
}

/** Whether a host has agents: a person has named it then, and what becomes of it is somebody's news. */
async function hasAgents({ agents }: Tables, hostId: string): Promise<boolean> {
  return (await agents.standingOn(hostId, 1)).count > 0;
}
