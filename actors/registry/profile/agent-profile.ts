import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { HostProfile, HostSecret } from '#contract/wire/host-profile.ts';
import type { StoredProfile, StoredSecret } from '#store/profile/profile-entity.ts';
import type { SecretCipher } from '#world/file/secret-cipher.ts';
import { sealedFor } from './given-secrets.ts';

/**
 * A profile as the host of an agent gets it, with the values of the secrets that muster stores.
 * @throws FAILED_PRECONDITION when one was sealed with another key
 */
export function hostProfileOf(
  { id, name, environment, secrets, home }: StoredProfile,
  sealing: Pick<SecretCipher, 'open' | 'keyFile'>,
): HostProfile {
  return {
    name,
    environment: [...environment],
    secrets: secrets.map((secret) => secretOf(id, name, secret, sealing)),
    home,
  };
}

function secretOf(
  id: string,
  profile: string,
  { variable, source }: StoredSecret,
  { open, keyFile }: Pick<SecretCipher, 'open' | 'keyFile'>,
): HostSecret {
  if ('env' in source) return { variable, env: source.env };
  if ('file' in source) return { variable, file: source.file };
  if ('command' in source) return { variable, command: [...source.command] };
  const value = open(source.sealed, sealedFor(id, variable));
  if (value !== undefined) return { variable, value };
  throw new Failure(
    'SECRET_UNAVAILABLE',
    `The stored secret ${quoted(variable)} of the profile ${quoted(profile)} cannot be opened with the key in ${keyFile}: restore ` +
      'that file, or give the secret again (muster profile edit)',
  );
}
