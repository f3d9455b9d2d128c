import type { Client } from '#cli/client/client.ts';
import { everyPage } from '#cli/client/pages.ts';
import { Failure } from '#contract/failure.ts';
import type { Profile } from '#contract/profile/profile.ts';
import { findNamed, namesToChoose } from './find-named.ts';

/** Every profile, most recently updated first. */
export function everyProfile(client: Client): Promise<Profile[]> {
  return everyPage(
    (pagination) => client.call('profile.v1.ProfileService/ListProfiles', { pagination }),
    (page) => page.profiles,
  );
}

/** Finds a profile by id or name. @throws NOT_FOUND listing those that exist */
export async function findProfile(client: Client, nameOrId: string): Promise<Profile & { readonly id: string }> {
  const profiles = await everyProfile(client);
  const found = findNamed(profiles, nameOrId);
  if (found !== undefined) return found;
  const help = namesToChoose(profiles, nameOrId, 'muster profile create');
  throw new Failure('PROFILE_NOT_FOUND', `there is no profile ${JSON.stringify(nameOrId)}: ${help}`, {
    metadata: { profileId: nameOrId },
  });
}

/** A request whose profile is named as people name it, with the profile's id. */
export async function withProfileId<R extends { readonly profileId?: string | undefined }>(
  client: Client,
  request: R,
): Promise<R> {
  return request.profileId ? { ...request, profileId: (await findProfile(client, request.profileId)).id } : request;
}
