import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import type { Store, Tables } from '#store/store.ts';
import { filesIn } from '#world/file/files-in.ts';
import { isThere, readSecretFile } from '#world/file/private-file.ts';

/** A secret of an installation next to its database. */
interface Secret {
  readonly file: string;
  /** Whether the database shows that it was there. */
  readonly isKnown: (tables: Tables) => Promise<boolean>;
  /** What else to do if it is lost. */
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
    isKnown: async ({ forgeConnections }) =>
      (await forgeConnections.all()).some(({ credential }) => 'sealed' in credential),
    otherwise:
      'if it is lost, create an empty file of that name: the credentials that it sealed are then lost, and each ' +
      'forge has to be connected again',
  },
];

/** What the names of databases begin with that were migrated to PostgreSQL and are kept. */
export const migratedPrefix = 'muster.db-migrated-';

/** The path of such a database in a state folder; undefined if there is none. */
export function migratedDatabase(stateFolder: string): string | undefined {
  const name = filesIn(stateFolder).find((one) => one.startsWith(migratedPrefix));
  return name === undefined ? undefined : join(stateFolder, name);
}

/** The database of a state folder. */
export function databaseIn(stateFolder: string): string {
  return join(stateFolder, 'muster.db');
}

/**
 * Refuses a state folder of an installation whose database is gone: it would start over and forget all of its agents.
 * @throws FAILED_PRECONDITION with what is there, what is missing, and what to do
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
      `The database of ${stateFolder} was migrated to PostgreSQL, so nothing was created: set MUSTER_DATABASE_URL. To go ` +
        `back to what it was then, and lose what came since, rename ${migrated} to muster.db`,
    );
  throw new Failure(
    'DATABASE_MISSING',
    `${database} is missing, but ${left.join(' and ')} of its installation exist, so nothing was created: restore the ` +
      `database, with its log ${database}-wal if there was one. To start over, move away what is there`,
  );
}

/**
 * Refuses a state folder whose database knows of a secret that is not there, for a new one would shut out whoever has
 * the old one; and one with a secret that others may read.
 * @throws FAILED_PRECONDITION with what is missing or open, and what to do
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
