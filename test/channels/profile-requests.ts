import type { RegistryFixture } from '#test/registry/registry-fixture.ts';
import type { Trial } from './trial.ts';

/** A profile of the test's own. */
async function aProfile({ call }: RegistryFixture, agentId: string): Promise<{ profileId: string }> {
  const { profiles = [] } = await call<{ profiles?: { id: string; name: string }[] }>('ListProfiles', {
    pagination: { pageSize: 200 },
  });
  const name = `for ${agentId}`;
  const known = profiles.find((one) => one.name === name);
  if (known !== undefined) return { profileId: known.id };
  const given = { name, secrets: [{ variable: 'API_KEY', env: 'HOST_API_KEY' }] };
  const { profile } = await call<{ profile: { id: string } }>('CreateProfile', given);
  return { profileId: profile.id };
}

const noProfile = { request: { profileId: 'prf_none' }, code: 'not_found' } as const;

/** How the operations about profiles are tried. */
export const profileTrials: Readonly<Record<string, Trial>> = {
  ListProfiles: { request: () => ({ pagination: { pageSize: 1 } }) },
  CreateProfile: {
    request: (agentId) => ({
      name: `profile of ${agentId}`,
      environment: ['MODEL_REGION=eu'],
      secrets: [{ variable: 'API_KEY', file: '/run/secrets/key' }],
    }),
    refused: {
      request: { name: 'two sources', secrets: [{ variable: 'API_KEY', env: 'A', file: '/b' }] },
      code: 'invalid_argument',
    },
  },
  UpdateProfile: {
    request: () => ({ account: 'work@example.org', removeSecrets: ['API_KEY'] }),
    prepare: aProfile,
    refused: noProfile,
  },
  DeleteProfile: { request: () => ({}), prepare: aProfile, refused: noProfile },
};
