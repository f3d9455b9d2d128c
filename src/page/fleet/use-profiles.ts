import { type Client, createClient } from '@connectrpc/connect';
import { useQuery } from '@tanstack/react-query';
import { transport } from '#page/api/clients.ts';
import { type Profile, ProfileService } from '#page/client/profile/v1/profile_pb.js';

export const profiles: Client<typeof ProfileService> = createClient(ProfileService, transport);

async function listAll(signal: AbortSignal): Promise<readonly Profile[]> {
  const all = new Map<string, Profile>();
  for (let cursor = ''; ; ) {
    const page = await profiles.listProfiles({ pagination: { cursor, pageSize: 200 } }, { signal });
    for (const profile of page.profiles) all.set(profile.id, profile);
    cursor = page.nextPageToken;
    if (cursor === '') return [...all.values()].sort((one, other) => one.name.localeCompare(other.name));
  }
}

/** The profiles, by name. */
export function useProfiles() {
  return useQuery({ queryKey: ['profiles'], queryFn: ({ signal }) => listAll(signal), staleTime: 60_000 });
}
