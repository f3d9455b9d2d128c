/** The files that are tested on PostgreSQL as well as on SQLite: all that use a store. */
const onBoth = /^test\/(?:registry|store)\//;

const olderThan = 'brings up databases from before muster ran on PostgreSQL';
const itself = 'is about SQLite itself';

/** Files of these that only SQLite can be put to, with why. */
const sqliteAlone: ReadonlyMap<string, string> = new Map([
  ['test/registry/agent/put-back.test.ts', 'puts a copy of the file back; PostgreSQL is restored by its own tools'],
  ['test/registry/schedule/stuck-schedules.test.ts', olderThan],
  ['test/registry/store/old-databases.test.ts', olderThan],
  ['test/registry/store/slow-disk.test.ts', 'slows the disk of the process that writes; PostgreSQL has its own'],
  ['test/store/bound-statement.test.ts', 'needs no database'],
  ['test/store/counting-verdicts.test.ts', olderThan],
  ['test/store/faults.test.ts', itself],
  ['test/store/log-sync.test.ts', itself],
  ['test/store/native-database.test.ts', itself],
  ['test/store/open-sqlite.test.ts', itself],
  ['test/store/pull-requests.test.ts', 'reads how SQLite plans its queries'],
  ['test/store/read-snapshots.test.ts', itself],
  ['test/store/sqlite.test.ts', itself],
  ['test/store/stored-hashes.test.ts', olderThan],
  ['test/store/sudden-death.soak.test.ts', itself],
  ['test/store/update-row.test.ts', 'needs no database'],
]);

/** Of some files those that run on PostgreSQL as well. */
export function runsOnPostgres(file: string): boolean {
  return onBoth.test(file) && !file.startsWith('test/store/postgres/') && !sqliteAlone.has(file);
}

/** The given files that use a store and do not run on PostgreSQL, each with the reason. */
export function skippedOnPostgres(files: readonly string[]): readonly string[] {
  return files.flatMap((file) => {
    const why = sqliteAlone.get(file);
    return why === undefined ? [] : [`${file}: it ${why}`];
  });
}
