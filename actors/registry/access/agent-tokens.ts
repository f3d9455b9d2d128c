import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readSecretFile, removePrivateFile, writePrivateFile } from '#world/file/private-file.ts';

/** Makes a token of an agent or of the operator: 32 random bytes, in plain text. */
export function makeToken(): string {
  return `mst_${randomBytes(32).toString('base64url')}`;
}

/** The form of a token on the bus: its SHA-256 in hex. The database stores a hash of that hash. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Reads the operator's token. Creates it if the state folder has none.
 * @throws FAILED_PRECONDITION when others may open its file
 */
export function operatorToken(stateFolder: string): string {
  const known = readSecretFile(tokenFile(stateFolder))?.trim();
  if (known) return known;
  const made = makeToken();
  writeOperatorToken(stateFolder, made);
  return made;
}

/** Replaces the operator's token atomically, in a file that only its owner may read. */
export function writeOperatorToken(stateFolder: string, token: string): void {
  writePrivateFile(tokenFile(stateFolder), `${token}\n`);
}

/** Earlier versions derived agents' tokens from a secret. It is deleted, so that a copy of it is worthless. */
export function forgetInstallationSecret(stateFolder: string): void {
  removePrivateFile(join(stateFolder, 'installation.secret'));
}

const tokenFile = (stateFolder: string): string => join(stateFolder, 'operator.token');
