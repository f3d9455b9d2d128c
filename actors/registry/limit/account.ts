import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { Tables } from '#store/tables.ts';

/** The credentials that a CLI on a host uses. */
export interface Account {
  /** Identifies them: the host, the harness, and the account or the profile. */
  readonly key: string;
  /** In words, as in `work, claude on build-2`. */
  readonly name: string;
}

/** What decides which credentials a CLI uses. */
export interface AccountUser {
  readonly host: string;
  readonly harness: string;
  readonly profileId?: string | null | undefined;
}

/** What decides which credentials an agent's CLI uses. */
export function userOf({ host, profileId, launch }: StoredAgent): AccountUser {
  return { host, harness: launch.harness, profileId };
}

/**
 * The account of a CLI: that of its profile on its host, or the CLI's default credentials there. Profiles with the same
 * account share it.
 */
export async function accountOf(
  { profiles, hosts }: Pick<Tables, 'profiles' | 'hosts'>,
  { host, harness, profileId }: AccountUser,
): Promise<Account> {
  const profile = profileId == null ? undefined : await profiles.find(profileId);
  const hostName = (await hosts.find(host))?.name ?? host;
  const place = `${harness} on ${hostName}`;
  if (profile === undefined) return { key: JSON.stringify([host, harness]), name: place };
  if (profile.account === '')
    return { key: JSON.stringify([host, harness, 'profile', profile.id]), name: `profile ${profile.name}, ${place}` };
  return { key: JSON.stringify([host, harness, 'account', profile.account]), name: `${profile.account}, ${place}` };
}
