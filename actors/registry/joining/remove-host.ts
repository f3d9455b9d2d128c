import { change } from '#actors/registry/agent/change.ts';
import { pauseSteps } from '#actors/registry/host/away.ts';
import { hostKind } from '#actors/registry/host/host-kind.ts';
import { requireHost } from '#actors/registry/host/host-name.ts';
import { findHost, hostOf } from '#actors/registry/host/host-resource.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { advanceInstance } from '#actors/registry/kernel/instance.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { Failure } from '#contract/failure.ts';
import { removeHost } from '#contract/operations/host-removal.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { StoredJoinedHost } from '#store/joining/joined-host-entity.ts';
import type { Tables } from '#store/tables.ts';
import type { JoiningScope } from './joining-scope.ts';

/** How many agents of a removed host are named. */
const maxNamed = 100;

/**
 * Removes a host permanently. Once written, muster refuses it everywhere; then the bus servers end its connections. If
 * they cannot be reached, a repeated call or the next start of a registry does it.
 */
export const removeHostHandler = handler(
  removeHost,
  async ({ hostId: named, now: isForced = false }, _caller, scope: JoiningScope) => {
    const { joined, row, agents } = await change(scope, async (writing) => {
      const { tables, now } = writing;
      const found = await findJoined(tables, named);
      const { hostId } = found;
      const host = await tables.hosts.find(hostId);
      const standing = (await tables.agents.presentOn(hostId, maxNamed)).map(({ name }) => name);
      if (found.removedAt == null) {
        if (standing.length > 0 && !isForced) throw inUse(found, standing);
        await remove(writing, found, host);
      }
      const joined = { ...found, removedAt: found.removedAt ?? now };
      return { joined, row: await tables.hosts.find(hostId), agents: standing };
    });
    const { hostId, hostKey, gatewayKey } = joined;
    if (row !== undefined) scope.lines.endRevoked(hostId, row);
    await scope.admission.revoke([hostKey, gatewayKey]);
    const placed = await scope.store.read((tables) => tables.agents.countPlaced());
    return { hostId, agents: [...agents], ...(row && { host: hostOf(row, { ...scope, placed }) }) };
  },
);

async function remove(
  writing: Change,
  { hostId, name }: StoredJoinedHost,
  host: StoredHost | undefined,
): Promise<void> {
  const { tables, now } = writing;
  await tables.joinedHosts.remove(hostId, now);
  if (host === undefined) {
    await tables.facts.append([{ kind: 'host.removed', subjectId: hostId, detail: { name } }]);
    return;
  }
  await advanceInstance(writing, hostKind, host, { type: 'REMOVE' });
  await tables.hosts.confirmNothing(hostId);
  await pauseSteps(writing, host);
  // Sessions that began with the key end.
  await tables.hosts.bind(hostId, null);
  await tables.journal.leaveRemoved(hostId, { lastKnownAt: host.seenAt, removedAt: now });
}

/**
 * The host that joined under a name or an id. @throws HOST_NOT_FOUND; HOST_AMBIGUOUS; HOST_NOT_JOINED when it did not
 * join by an invitation
 */
async function findJoined(tables: Tables, named: string): Promise<StoredJoinedHost> {
  const all = await tables.joinedHosts.all();
  const byId = all.find(({ hostId }) => hostId === named);
  if (byId !== undefined) return byId;
  const members = all.filter(({ removedAt }) => removedAt == null);
  const known = await tables.hosts.all();
  const silent = members.filter(({ hostId }) => known.every(({ id }) => id !== hostId));
  const { id } = requireHost([...known, ...silent.map(({ hostId, name }) => ({ id: hostId, name }))], named);
  const found = members.find(({ hostId }) => hostId === id);
  if (found !== undefined) return found;
  const { name } = await findHost(tables.hosts, id);
  throw new Failure(
    'HOST_NOT_JOINED',
    `Host ${quoted(name)} (${id}) did not join by an invitation, so this installation does not know its credential. ` +
      '`muster bus-keys FOLDER --revoke NAME` revokes it and ends its connection: FOLDER has its NAME.creds, and MUSTER_BUS_URL ' +
      `is the address of the bus. Once it is lost, \`muster delete --abandon\` gives its agents up, and \`muster hosts --forget ${id}\` forgets it`,
  );
}

function inUse({ hostId, name }: StoredJoinedHost, agents: readonly string[]): Failure {
  const first = agents.slice(0, 5).map((one) => quoted(one));
  const names = [...first, ...(agents.length > first.length ? ['…'] : [])].join(', ');
  return new Failure(
    'HOST_IN_USE',
    `Host ${quoted(name)} (${hostId}) cannot be removed: ${agents.length === 1 ? 'an agent is' : 'agents are'} on it: ` +
      `${names}. Archive or delete them first, or set now to leave them behind`,
  );
}
