import { checkVariable } from '#actors/registry/placement/environment-additions.ts';
import { Failure } from '#contract/failure.ts';
import type { GivenSecret } from '#contract/operations/profile.ts';
import { quoted } from '#contract/quoted.ts';
import type { SecretSource, StoredSecret } from '#store/profile/profile-entity.ts';
import type { SecretCipher } from '#world/file/secret-cipher.ts';
import { isFixedPath } from '#world/process/secret-source.ts';

/** What a stored secret is sealed for: it opens only as this variable of this profile. */
export function sealedFor(profileId: string, variable: string): string {
  return `${profileId}/${variable}`;
}

/**
 * Secrets as they are stored. Errors never repeat a source: it may be the secret itself, in the wrong field.
 * @throws INVALID_ARGUMENT when a variable or a source is not allowed
 */
export function storedSecrets(
  profileId: string,
  given: readonly GivenSecret[],
  sealing: Pick<SecretCipher, 'seal'>,
): StoredSecret[] {
  const names = given.map(({ variable }) => variable);
  for (const [place, name] of names.entries()) {
    checkVariable(name, 'secrets', 'a name');
    if (names.indexOf(name) === place) continue;
    throw refusal(name, 'is given twice: give it once');
  }
  return given.map((secret) => ({ variable: secret.variable, source: sourceOf(profileId, secret, sealing) }));
}

function sourceOf(
  profileId: string,
  { variable, env, file, command = [], value }: GivenSecret,
  sealing: Pick<SecretCipher, 'seal'>,
): SecretSource {
  const count = [env, file, command.length > 0, value].filter(Boolean).length;
  if (count !== 1) {
    const what = count === 0 ? 'has no source' : 'has more than one source';
    throw refusal(variable, `${what}: give exactly one of env, file, command and value`);
  }
  if (env) {
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(env)) return { env };
    throw refusal(variable, 'has an env that is not a name of an environment variable: give one such as OPENAI_KEY');
  }
  if (file) {
    if (isFixedPath(file) && !file.includes('\0')) return { file };
    throw refusal(variable, 'has a file that is neither an absolute path nor begins with ~/');
  }
  if (command.length > 0) {
    if (command[0] !== '' && !command.some((word) => word.includes('\0'))) return { command };
    throw refusal(variable, 'has a command that names no program, or has a NUL character');
  }
  if (value && !value.includes('\0')) return { sealed: sealing.seal(value, sealedFor(profileId, variable)) };
  throw refusal(variable, 'has a value with a NUL character, which an environment cannot hold');
}

function refusal(variable: string, why: string): Failure {
  return new Failure('INVALID_FIELD', `The secret ${quoted(variable)} ${why}`, { field: 'secrets' });
}
