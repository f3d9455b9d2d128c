import { setImmediate as soon } from 'node:timers/promises';
import { viewOf } from '#machines/agent/agent-view.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { openStore } from '#store/store.ts';
import { commitOn } from './store-fixture.ts';

// Commits on one agent as fast as it can, and says each version once it is durable. It is meant to be killed.

const [file = '', agentId = ''] = process.argv.slice(2);
const store = await openStore({ engine: new SqliteEngine(file), clock: Date, viewOf });
let { version } = await store.read(({ journal }) => journal.load(agentId));
for (;;) {
  const record = await store.commitAgent(
    commitOn(agentId, {
      version,
      effects: [{ kind: 'openWindow', params: { resume: false } }],
      done: [`${agentId}/${version}/0`],
      facts: [{ kind: 'agent.changed', detail: { version: version + 1 } }],
    }),
  );
  version = record.version;
  process.stdout.write(`${version}\n`);
  await soon();
}
