import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { Failure } from '#contract/failure.ts';
import type { Profile, ProfileSecret } from '#contract/profile/profile.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredProfile, StoredSecret } from '#store/profile/profile-entity.ts';
import type { Tables } from '#store/tables.ts';

/** A profile as people see it: never with the value of a secret. */
export function profileOf(stored: StoredProfile): Profile {
  const { environment, secrets, createdAt, updatedAt, home, account, ...named } = stored;
  return {
    ...named,
    environment: [...environment],
    secrets: secrets.map(secretOf),
    home: home || undefined,
    account: account || undefined,
    createdAt: timeOf(createdAt),
    updatedAt: timeOf(updatedAt),
  };
}

function secretOf({ variable, source }: StoredSecret): ProfileSecret {
  return {
    variable,
    ...('env' in source && { env: source.env }),
    ...('file' in source && { file: source.file }),
    ...('command' in source && { command: [...source.command] }),
    kept: 'sealed' in source,
  };
}

/** The profile with an id. @throws NOT_FOUND when there is none */
export async function findProfile({ profiles }: Pick<Tables, 'profiles'>, id: string): Promise<StoredProfile> {
  const profile = await profiles.find(id);
  if (profile !== undefined) return profile;
  throw new Failure('PROFILE_NOT_FOUND', `There is no profile ${quoted(id)}: list_profiles lists them`, {
    field: 'profileId',
    metadata: { profileId: id },
  });
}
