import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import type { Sender } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { StoredJoinedHost } from '#store/joining/joined-host-entity.ts';

/**
 * Checks that a session still authenticates its host. Every write for a session calls this within the write, so that a
 * session that began before a person removed the key can neither take the lease nor bind that key again.
 * @throws PERMISSION_DENIED when the row is bound to another key; UNAVAILABLE when the session has ended
 */
export function checkOwnKey(host: StoredHost | undefined, sender: Sender): void {
  if (host?.key != null && host.key !== sender.key) throw keyMismatch(host);
  if (sender.isOpen && (host === undefined || host.keyEpoch === sender.keyEpoch)) return;
  throw sessionEnded(sender);
}

/** The refusal of a session that no longer authenticates its host. */
export function sessionEnded({ hostId }: Pick<Sender, 'hostId'>): Failure {
  return new Failure(
    'HOST_SESSION_ENDED',
    `The session of host ${hostId} has ended, for example because a person had its key forgotten: begin another one`,
  );
}

/** The refusal of a host whose key is not the one in its row. */
export function keyMismatch({ id, name }: Pick<StoredHost, 'id' | 'name'>): Failure {
  return new Failure(
    'HOST_KEY_CHANGED',
    `Host ${quoted(name)} (${id}) has another key than the one in host.key of this state folder. If its key was lost, run ` +
      `\`muster hosts --forget-key ${id}\`; if this folder was copied from another machine, join this machine as another host, with \`muster host invite\` and a ` +
      'new state folder (MUSTER_HOME).',
  );
}

/** Checks that a host, if it joined by an invitation, still belongs to the installation. @throws HOST_REMOVED */
export function requireMember(joined: StoredJoinedHost | undefined): void {
  if (joined?.removedAt != null) throw hostRemoved(joined);
}

/** The refusal of a host that a person removed. */
export function hostRemoved({ hostId, name, removedAt }: StoredJoinedHost): Failure {
  const when = removedAt == null ? '' : ` at ${timeOf(removedAt)}`;
  return new Failure(
    'HOST_REMOVED',
    `A person removed host ${quoted(name)} (${hostId})${when}, and its keys are refused permanently. Its agents’ windows are ` +
      'untouched. To return, the machine joins again as a new host, with another state folder (MUSTER_HOME): ' +
      '`muster host invite`, where the registry runs, prints the line',
  );
}
