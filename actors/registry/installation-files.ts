import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import type { Store } from '#store/store.ts';
import type { Tables } from '#store/tables.ts';
import { filesIn } from '#world/file/files-in.ts';
import { isThere, readSecretFile } from '#world/file/private-file.ts';

/** A file with a secret of the installation, next to its database. */
interface Secret {
  readonly file: string;
  /** Whether the database was used with it. */
  readonly isKnown: (tables: Tables) => Promise<boolean>;
  /** The remedy if it cannot be restored. */
  readonly otherwise: string;
}

const secrets: readonly Secret[] = [
  {
    file: 'operator.token',
    isKnown: ({ credentials }) => credentials.hasPerson(),
    otherwise: 'if it is lost, write a new one of at least 32 random characters there, which signs out every browser',
  },
  {
    file: 'forge.key',
    isKnown: async ({ forgeConnections, profiles }) =>
      (await forgeConnections.all()).some(({ credential }) => 'sealed' in credential) || (await profiles.hasSealed()),
    otherwise:
      'if it is lost, create an empty file of that name: what it sealed is then lost, so each forge has to be connected ' +
      'again, and stored secrets of profiles have to be given again',
  },
];

/** The file name prefix of SQLite databases that were kept after their migration to PostgreSQL. */
export const migratedPrefix = 'muster.db-migrated-';

/** The path of a migrated database in a state folder; undefined if there is none. */
export function migratedDatabase(stateFolder: string): string | undefined {
  const name = filesIn(stateFolder).find((one) => one.startsWith(migratedPrefix));
  return name === undefined ? undefined : join(stateFolder, name);
}

/** The path of a state folder's SQLite database. */
export function databaseIn(stateFolder: string): string {
  return join(stateFolder, 'muster.db');
}

/**
 * Refuses to create a new database for an installation whose database is missing: all of its agents would be forgotten.
 * @throws FAILED_PRECONDITION when the state folder has an installation's secrets and no database
 */
export function requireDatabase(stateFolder: string): void {
  const database = databaseIn(stateFolder);
  if (isThere(database)) return;
  const left = secrets.map(({ file }) => join(stateFolder, file)).filter(isThere);
  if (left.length === 0) return;
  const migrated = migratedDatabase(stateFolder);
  if (migrated !== undefined)
    throw new Failure(
      'DATABASE_MISSING',
      `The database of ${stateFolder} was migrated to PostgreSQL, so nothing was created: set MUSTER_DATABASE_URL. To return ` +
        `to the state before the migration, and lose everything since, rename ${migrated} to muster.db`,
    );
  throw new Failure(
    'DATABASE_MISSING',
    `${database} is missing, but ${left.join(' and ')} of its installation exist, so nothing was created: restore the ` +
      `database, with its log ${database}-wal if there was one. To start over, move those files away`,
  );
}

/**
 * Refuses a state folder that lacks a secret of its database, because a new secret would lock out everyone who has the
 * old one.
 * @throws FAILED_PRECONDITION when a secret is missing, or other users may read it
 */
export async function requireSecrets(store: Store, stateFolder: string): Promise<void> {
  for (const { file, isKnown, otherwise } of secrets) {
    const path = join(stateFolder, file);
    if (readSecretFile(path) !== undefined || !(await store.read(isKnown))) continue;
    throw new Failure(
      'SECRET_MISSING',
      `${path} is missing, but its database was used with one: restore it; ${otherwise}`,
    );
  }
}
