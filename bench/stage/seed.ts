import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { advance } from '#actors/loop.ts';
import { ulidIds } from '#actors/registry/kernel/ulid-ids.ts';
import type { Clock, Ids } from '#contract/clock.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { begin } from '#machines/decide.ts';
import { hostDefinition } from '#machines/host/host.ts';
import type { Engine } from '#store/database/engine.ts';
import { bareHost } from '#store/host/bare-host.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { openStore } from '#store/store.ts';
import type { Tables } from '#store/tables.ts';
import { emptyWorkflow } from '#store/workflow/bare-workflow.ts';
import { writePrivateFile } from '#world/file/private-file.ts';
import { type SeededState, seededHistory } from './seeded-history.ts';

/** How many agents are stored, and in which state. */
export type Mixture = Readonly<Partial<Record<SeededState, number>>>;

/** How many agents one transaction writes. */
const batchSize = 500;
/** The interval between the creation times of agents, in milliseconds. */
const intervalMs = 60_000;

/** The host of the stored agents. */
export const seededHost = { id: 'hst_bench', name: 'bench', harnesses: ['shell'] };
const workflowId = 'wfl_bench';

/** How a fleet is stored. */
export interface Seeding {
  readonly hosts: number;
  readonly engine?: Engine;
}

/** The id of a host of the fleet, by its index. */
export const hostIdOf = (place: number): string => (place === 0 ? seededHost.id : `${seededHost.id}_${place}`);

/**
 * Stores a fleet as the registry would, in the state folder's own database unless an engine is given. The agents are
 * spread over the hosts, of which the first is the folder's own. Returns the agents' ids.
 */
export async function seed(
  home: string,
  mixture: Mixture,
  { hosts = 1, engine = new SqliteEngine(join(home, 'muster.db')) }: Partial<Seeding> = {},
): Promise<string[]> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writePrivateFile(join(home, 'host.id'), `${seededHost.id}\n`);
  const states = spread(mixture);
  let now = Date.now() - (states.length + 1) * intervalMs;
  const clock = { now: () => now };
  const ids = ulidIds(clock);
  const store = await openStore({ engine, clock, viewOf });
  await store.write((tables) => addPlaces(tables, clock, home, hosts));
  const agentIds: string[] = [];
  for (let done = 0; done < states.length; done += batchSize) {
    await store.write(async (tables) => {
      for (const state of states.slice(done, done + batchSize)) {
        agentIds.push(await addAgent(tables, ids, state, hostIdOf(agentIds.length % hosts)));
      }
    });
    now += batchSize * intervalMs;
  }
  await store.close();
  return agentIds;
}

/** The state of each agent in order, mixed evenly. */
function spread(mixture: Mixture): readonly SeededState[] {
  const kinds = Object.entries(mixture) as [SeededState, number][];
  return kinds
    .flatMap(([state, count]) => Array.from({ length: count }, (_, place) => ({ state, at: (place + 0.5) / count })))
    .toSorted((a, b) => a.at - b.at)
    .map(({ state }) => state);
}

async function addPlaces({ instances, workflows }: Tables, clock: Clock, cwd: string, hosts: number): Promise<void> {
  const { id: _, ...greeting } = seededHost;
  const unbound = {
    condition: null,
    key: null,
    holder: null,
    confirmedLaunches: {},
    keyEpoch: 0,
    stateSince: null,
    ...bareHost,
    figures: null,
    foundTerminals: [],
  };
  const { snapshot } = begin(hostDefinition, greeting);
  const rowOf = (id: string) => ({
    id,
    ...greeting,
    ...(id !== seededHost.id && { name: id }),
    ...unbound,
    codingHarnesses: [],
    snapshot,
    seenAt: clock.now(),
  });
  await instances.begin(
    'host',
    Array.from({ length: hosts }, (_, place) => ({ row: rowOf(hostIdOf(place)) })),
  );
  await workflows.insert({
    ...emptyWorkflow,
    id: workflowId,
    name: 'bench',
    cwd,
    harness: 'shell',
    provisionEnabled: false,
    repositories: ['https://example.com/ada/engine'],
    unconfirmedRepositories: [],
    createdAt: clock.now(),
    updatedAt: clock.now(),
  });
}

async function addAgent({ journal }: Tables, ids: Ids, state: SeededState, hostId: string): Promise<string> {
  const id = ids.id('agt');
  const name = `mend-the-engine-${id.slice(-8).toLowerCase()}`;
  const { soFar, last } = seededHistory(name, state);
  await journal.insert({
    id,
    parentAgentId: undefined,
    spawnedByAgentId: undefined,
    createdBy: 'person',
    idempotencyKey: undefined,
    hostId,
    workflowId,
    role: 'AGENT_ROLE_IMPLEMENTER',
    launch: {
      name,
      harness: 'claude',
      flags: '--permission-mode plan',
      cwd: '/home/ada/src/engine',
      briefing: 'Find out why the login test is flaky and mend it. '.repeat(30),
      provision: true,
      copyFiles: ['.env'],
      scripts: {},
      sessionId: ids.uuid(),
    },
    decision: soFar,
  });
  const record = await journal.load(id);
  await advance(
    { load: (of) => journal.load(of), commit: async (change) => (await journal.commit(change)).record },
    record,
    last,
    record.effects.map(({ key }) => key),
  );
  return id;
}
