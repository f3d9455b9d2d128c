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
import { openStore, type Tables } from '#store/store.ts';
import { emptyWorkflow } from '#store/workflow/bare-workflow.ts';
import { writePrivateFile } from '#world/file/private-file.ts';
import { type Rest, seededLife } from './seeded-life.ts';

/** How many agents are stored, and in which state. */
export type Mixture = Readonly<Partial<Record<Rest, number>>>;

/** How many agents one transaction writes. */
const atOnce = 500;
/** How long after one another agents were made, in milliseconds. */
const apart = 60_000;

/** The host that they are placed on. */
export const seededHost = { id: 'hst_bench', name: 'bench', harnesses: ['shell'] };
const workflowId = 'wfl_bench';

/** What a fleet is stored with. */
export interface Seeding {
  readonly hosts: number;
  readonly engine?: Engine;
}

/** The id of each of a fleet's hosts. */
export const hostIdOf = (place: number): string => (place === 0 ? seededHost.id : `${seededHost.id}_${place}`);

/**
 * Stores a fleet in a state folder as the registry would have, placed in turn on its hosts, the first of which is the
 * folder's own; in the folder's file if no other engine is given. Gives the agents' ids.
 */
export async function seed(
  home: string,
  mixture: Mixture,
  { hosts = 1, engine = new SqliteEngine(join(home, 'muster.db')) }: Partial<Seeding> = {},
): Promise<string[]> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writePrivateFile(join(home, 'host.id'), `${seededHost.id}\n`);
  const standings = spread(mixture);
  let now = Date.now() - (standings.length + 1) * apart;
  const clock = { now: () => now };
  const ids = ulidIds(clock);
  const store = await openStore({ engine, clock, viewOf });
  await store.write((tables) => addPlaces(tables, clock, home, hosts));
  const made: string[] = [];
  for (let done = 0; done < standings.length; done += atOnce) {
    await store.write(async (tables) => {
      for (const rest of standings.slice(done, done + atOnce)) {
        made.push(await addAgent(tables, ids, rest, hostIdOf(made.length % hosts)));
      }
    });
    now += atOnce * apart;
  }
  await store.close();
  return made;
}

/** The standings one after another, mixed as evenly as they go. */
function spread(mixture: Mixture): readonly Rest[] {
  const kinds = Object.entries(mixture) as [Rest, number][];
  return kinds
    .flatMap(([rest, count]) => Array.from({ length: count }, (_, place) => ({ rest, at: (place + 0.5) / count })))
    .toSorted((a, b) => a.at - b.at)
    .map(({ rest }) => rest);
}

async function addPlaces({ instances, workflows }: Tables, clock: Clock, cwd: string, hosts: number): Promise<void> {
  const { id: _, ...said } = seededHost;
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
  const { snapshot } = begin(hostDefinition, said);
  const rowOf = (id: string) => ({
    id,
    ...said,
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

async function addAgent({ journal }: Tables, ids: Ids, rest: Rest, hostId: string): Promise<string> {
  const id = ids.id('agt');
  const name = `mend-the-engine-${id.slice(-8).toLowerCase()}`;
  const { soFar, last } = seededLife(name, rest);
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
