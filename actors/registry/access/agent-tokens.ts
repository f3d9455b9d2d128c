import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readSecretFile, removePrivateFile, writePrivateFile } from '#world/file/private-file.ts';

/** Makes a token of an agent or of the operator: 32 random bytes, in the clear. */
export function makeToken(): string {
  return `mst_${randomBytes(32).toString('base64url')}`;
}

/** What stands for a token on the bus: its SHA-256 in hex. What is stored is a hash of that again. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * The operator's token, which is made if the state folder has none yet.
 * @throws FAILED_PRECONDITION when others may open its file
 */
export function operatorToken(stateFolder: string): string {
  const known = readSecretFile(tokenFile(stateFolder))?.trim();
  if (known) return known;
  const made = makeToken();
  writeOperatorToken(stateFolder, made);
  return made;
}

/** Puts another token in place of the operator's, for its owner alone and in one step. */
export function writeOperatorToken(stateFolder: string, token: string): void {
  writePrivateFile(tokenFile(stateFolder), `${token}\n`);
}

/** Tokens of agents were derived from a secret once: whoever still finds it must not be able to. */
export function forgetInstallationSecret(stateFolder: string): void {
  removePrivateFile(join(stateFolder, 'installation.secret'));
}

const tokenFile = (stateFolder: string): string => join(stateFolder, 'operator.token');
