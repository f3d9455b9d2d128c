import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { viewOf } from '#machines/agent/agent-view.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { openStore } from '#store/store.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { testClock } from '#test/support/test-clock.ts';

/** An empty database, as its migrations leave it. */
let migrated: Promise<Buffer> | undefined;

/**
 * Puts an empty database there with its tables in it, which is made once a process: to migrate takes as long as to open
 * it.
 */
export async function putMigrated(file: string): Promise<void> {
  migrated ??= makeMigrated();
  writeFileSync(file, await migrated, { mode: 0o600 });
}

async function makeMigrated(): Promise<Buffer> {
  const folder = temporaryFolder('migrated');
  const file = join(folder.path, 'muster.db');
  const store = await openStore({ engine: new SqliteEngine(file), clock: testClock(), viewOf });
  await store.close();
  const bytes = readFileSync(file);
  folder.remove();
  return bytes;
}
