import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isOpenPath } from '../open-path.ts';
import { installedPostgres, postgresPackage } from './postgres-version.ts';

/** The programs of the pinned PostgreSQL. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
  readonly pg_ctl: string;
}

/** Whom a server runs as: PostgreSQL refuses to run as root. */
export type RunAs = { readonly uid: number; readonly gid: number } | Record<string, never>;

/** The user `nobody` where this process is root, else whoever runs this. */
export function runAs(): RunAs {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
}

/**
 * The programs of the PostgreSQL that npm brought for this machine, or of the one whose major version
 * MUSTER_TEST_POSTGRES names; copied into a folder where others could not run them in place.
 */
export async function postgresPrograms(folder: string): Promise<PostgresPrograms> {
  const major = process.env['MUSTER_TEST_POSTGRES'];
  const module = major ? join(await installedPostgres(major), 'dist', 'index.js') : postgresPackage;
  const programs = (await import(module)) as PostgresPrograms;
  if (runAs().uid === undefined || isOpenPath(programs.postgres)) return programs;
  const native = dirname(dirname(programs.postgres));
  cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  const moved = (program: string) => join(folder, 'native', program.slice(native.length));
  return {
    initdb: moved(programs.initdb),
    postgres: moved(programs.postgres),
    pg_ctl: moved(programs.pg_ctl),
  };
}
