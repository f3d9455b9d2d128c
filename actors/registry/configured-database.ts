import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { type DatabaseAddress, readDatabaseAddress } from '#store/postgres/database-address.ts';
import { readSecretFile } from '#world/file/private-file.ts';

export type DatabaseConfig = Pick<Config, 'home' | 'databaseUrl' | 'databasePasswordFile'>;

/**
 * The address of the configured PostgreSQL; undefined if the database is SQLite.
 * @throws INVALID_ARGUMENT when the settings are wrong; FAILED_PRECONDITION when others may read the password file
 */
export function databaseAddress({ databaseUrl, databasePasswordFile }: DatabaseConfig): DatabaseAddress | undefined {
  if (databaseUrl !== undefined) return readDatabaseAddress(databaseUrl, passwordIn(databasePasswordFile));
  if (databasePasswordFile === undefined) return undefined;
  throw new Failure(
    'INVALID_SETTING',
    'MUSTER_DATABASE_PASSWORD_FILE is set, and MUSTER_DATABASE_URL is unset: set both, or unset it.',
    { field: 'MUSTER_DATABASE_PASSWORD_FILE' },
  );
}

function passwordIn(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const password = readSecretFile(file)?.replace(/\r?\n$/, '');
  if (password) return password;
  throw new Failure(
    'INVALID_SETTING',
    `MUSTER_DATABASE_PASSWORD_FILE is ${JSON.stringify(file)}, which is ${password === undefined ? 'missing' : 'empty'}: ` +
      'write the password there, readable by its owner alone (chmod 600).',
    { field: 'MUSTER_DATABASE_PASSWORD_FILE' },
  );
}
