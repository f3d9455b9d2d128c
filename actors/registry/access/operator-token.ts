import { Failure } from '#contract/failure.ts';
import { storedHashOf } from '#store/access/stored-hash.ts';
import type { Tables } from '#store/tables.ts';
import { hashOf } from './agent-tokens.ts';

/** The setting that holds the stored hashes of the operator's last revoked tokens, the newest first. */
const setting = 'ended-operator-tokens';
/** Maximum number of them. */
const remembered = 100;

/** Makes a token the operator's only one. Stores the hash of the revoked one, so that an old file cannot restore it. */
export async function replaceOperator(
  tables: Pick<Tables, 'credentials' | 'settings'>,
  token: string,
): Promise<boolean> {
  const ended = await tables.credentials.setPerson(hashOf(token));
  if (ended === undefined) return false;
  const known = await endedTokens(tables);
  await tables.settings.put(setting, JSON.stringify([...ended, ...known].slice(0, remembered)));
  return true;
}

/**
 * Adopts the operator's token of a state folder. If a person replaced the file while no registry ran, the new token
 * is valid from now on, and browsers are signed out.
 * @throws SECRET_DIFFERS when the token was revoked and the database can be shared, or when other registries run with
 *   another one
 */
export async function beginWithOperator(
  tables: Pick<Tables, 'credentials' | 'settings' | 'sessions'>,
  token: string,
  { isShared, hasPeers }: { readonly isShared: boolean; readonly hasPeers: boolean },
): Promise<void> {
  if (await tables.credentials.find(hashOf(token))) return;
  // The file of another machine may hold a token that was revoked since.
  const isRevoked = isShared && (await endedTokens(tables)).includes(storedHashOf(hashOf(token)));
  if (isRevoked) throw differs('it was revoked');
  // Registries that start together on a new database are peers before one of them has written the token of all.
  if (hasPeers && (await tables.credentials.hasPerson()))
    throw differs('other registries of this database run with another one');
  if (await replaceOperator(tables, token)) await tables.sessions.removeAll();
}

async function endedTokens({ settings }: Pick<Tables, 'settings'>): Promise<readonly string[]> {
  return JSON.parse((await settings.get(setting)) ?? '[]') as readonly string[];
}

function differs(why: string): Failure {
  return new Failure(
    'SECRET_DIFFERS',
    `The token in operator.token of this state folder is not this installation's: ${why}. Copy the file from the ` +
      'registry where the token was last replaced, with access for its owner alone (chmod 600)',
  );
}
