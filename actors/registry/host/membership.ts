import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredJoinedHost } from '#store/joining/joined-host-entity.ts';

/** Checks that a host, if it joined by an invitation, still belongs to the installation. @throws HOST_REMOVED */
export function requireMember(joined: StoredJoinedHost | undefined): void {
  if (joined?.removedAt != null) throw hostRemoved(joined);
}

/** The refusal of a host that a person removed. */
export function hostRemoved({ hostId, name, removedAt }: StoredJoinedHost): Failure {
  const when = removedAt == null ? '' : ` at ${timeOf(removedAt)}`;
  return new Failure(
    'HOST_REMOVED',
    `A person removed host ${quoted(name)} (${hostId})${when}, and its keys are refused for ever. Its agents’ windows are ` +
      'untouched. To return, the machine joins again as a new host, with another state folder (MUSTER_HOME): ' +
      '`muster host invite`, where the registry runs, prints the line',
  );
}
