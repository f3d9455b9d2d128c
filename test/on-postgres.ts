/** The files that are tested on PostgreSQL as well as on SQLite: all that use a store. */
const onBoth = /^test\/(?:registry|store)\//;

const olderThan = 'brings up databases from before muster ran on PostgreSQL';
/** The tests of one engine. */
const [sqlite, postgres] = ['test/store/sqlite/', 'test/store/postgres/'];

/** Files of these that only SQLite can be put to, with why. */
const sqliteAlone: ReadonlyMap<string, string> = new Map([
  ['test/registry/agent/put-back.test.ts', 'puts a copy of the file back; PostgreSQL is restored by its own tools'],
  ['test/registry/schedule/stuck-schedules.test.ts', olderThan],
  ['test/registry/store/old-databases.test.ts', olderThan],
  ['test/registry/store/slow-disk.test.ts', 'slows the disk of the process that writes; PostgreSQL has its own'],
  ['test/store/bound-statement.test.ts', 'needs no database'],
  ['test/store/counting-verdicts.test.ts', olderThan],
  ['test/store/pull-requests.test.ts', 'reads how SQLite plans its queries'],
  ['test/store/stored-hashes.test.ts', olderThan],
  ['test/store/update-row.test.ts', 'needs no database'],
]);

/** Of some files those that run on PostgreSQL as well. */
export function runsOnPostgres(file: string): boolean {
  return onBoth.test(file) && !file.startsWith(postgres) && whyNot(file) === undefined;
}

/** The given files that use a store and do not run on PostgreSQL, each with the reason. */
export function skippedOnPostgres(files: readonly string[]): readonly string[] {
  return files.flatMap((file) => {
    const why = whyNot(file);
    return why === undefined ? [] : [`${file}: it ${why}`];
  });
}

function whyNot(file: string): string | undefined {
  return file.startsWith(sqlite) ? 'is about SQLite itself' : sqliteAlone.get(file);
}
