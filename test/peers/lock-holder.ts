// A registry that holds a lock until it is killed. Its arguments are the socket's folder, the database and the lock.

import { withSharedMutex } from '#actors/registry/peer/shared-mutex.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { PostgresEngine } from '#store/postgres/postgres-engine.ts';
import { openStore } from '#store/store.ts';
import { addressOn } from '#test/support/postgres/postgres-database.ts';
import { systemTimer } from '#world/concurrency/timer.ts';

const [socket = '', database = '', name = ''] = process.argv.slice(2);
const engine = new PostgresEngine(addressOn(socket, database), Math.random);
const store = await openStore({ engine, clock: systemTimer, viewOf });
await withSharedMutex(store, name, () => {
  process.stdout.write('held\n');
  return new Promise(() => {});
});
