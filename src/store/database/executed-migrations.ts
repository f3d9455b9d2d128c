import { type EntityManager, TableNotFoundException } from '@mikro-orm/sql';
import type { Schema } from './engine.ts';

/** The names of the migrations that a database has run; none if it has no table of them, as a new one. */
export async function executedMigrations(em: EntityManager): Promise<ReadonlySet<string>> {
  try {
    const rows = await em.execute<{ name: string }[]>('select "name" from "mikro_orm_migrations" order by "id"');
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (error instanceof TableNotFoundException) return new Set();
    throw error;
  }
}

/** Whether a database has run every migration of this version. */
export function isMigrated(executed: ReadonlySet<string>, { migrations }: Schema): boolean {
  return migrations.every(({ name }) => executed.has(name));
}

/**
 * The name of a migration that a newer version ran and that this version cannot work with; undefined if there is none.
 * A migration's name may end in the oldest release that works with its tables, such as `2027-01-10-labels@0.1`: then
 * registries of that release and of the newer one share the database while they are updated one after another.
 */
export function unknownMigration(executed: ReadonlySet<string>, { migrations, release }: Schema): string | undefined {
  const known = new Set(migrations.map(({ name }) => name));
  return [...executed].find((name) => !known.has(name) && !worksWith(release, name));
}

/** Whether a release works with the tables of a migration that it does not know. */
export function worksWith(release: string, migration: string): boolean {
  const [, oldest] = /@(\d+\.\d+)$/.exec(migration) ?? [];
  if (oldest === undefined) return false;
  const [[major = 0, minor = 0], [oldestMajor = 0, oldestMinor = 0]] = [numbersOf(release), numbersOf(oldest)];
  return major === oldestMajor ? minor >= oldestMinor : major > oldestMajor;
}

function numbersOf(release: string): readonly number[] {
  return release.split('.').map(Number);
}
