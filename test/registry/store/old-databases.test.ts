import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { phaseOf, viewOf } from '#machines/agent/agent-view.ts';
import { snapshotUpgrades } from '#machines/snapshot-upgrade.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { openStore, type Store } from '#store/store.ts';
import { rowsOfFile } from '#test/store/rows-of-file.ts';
import { schemaHistory, writeOldDatabase } from '#test/store/schema-history.ts';
import { isSoak } from '#test/support/soak.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { testClock } from '#test/support/test-clock.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

const worktree = { repository: '/repo/.git', path: '/trees/new', branch: 'muster/new', baseSha: 'abc', copied: [] };

/** What a host reports each effect that has a result. */
const results: Readonly<Record<string, AgentEvent>> = {
  provisionWorktree: { type: 'WORKTREE_READY', worktree },
  runSetup: { type: 'SETUP_DONE' },
  openWindow: { type: 'WINDOW_OPENED', paneId: '%7' },
  deliverBriefing: { type: 'BRIEFED', reading: { state: 'AGENT_STATE_THINKING', reason: '' } },
  inspectWorktree: { type: 'WORKTREE_INSPECTED' },
  closePane: { type: 'PANE_CLOSED' },
  runTeardown: { type: 'TEARDOWN_DONE' },
  removeWorktree: { type: 'WORKTREE_REMOVED' },
};

/** What is asked of an agent, one after the other; each time its host does all there is to do. */
const courses = [
  ['RetryAgent', 'ArchiveAgent', 'RestoreAgent', 'DeleteAgent'],
  ['HoldAgent', 'UnholdAgent', 'ArchiveAgent', 'RetryAgent', 'RestoreAgent'],
  ['RestoreAgent', 'ArchiveAgent', 'DeleteAgent', 'RetryAgent'],
  [],
] as const;
/** Whether all agents of every database are driven, as in a soak. */
const isWhole = isSoak;
/**
 * The databases that brought a new shape of snapshots: every twelfth agent of theirs is driven, and every 72nd of the
 * others.
 */
const newShapes = new Set([0, 2, 3, 6, schemaHistory.length - 1]);
/** The databases whose agents are driven; the others are only opened. */
const driven = schemaHistory.filter((_, at) => isWhole || newShapes.has(at) || at % 7 === 0);
const refusals = ['failed_precondition', 'not_found'];

describe('an older database', function () {
  this.timeout(180_000);

  for (const name of driven) {
    it(`is listed, and each of its agents accepts every operation: ${name}`, async () => {
      const fixture = await registryFixture({ ceiling: 1_000, prepare: (file) => writeOldDatabase(name, file) });
      try {
        const { agents } = await fixture.call<{ agents: AgentRow[] }>('ListAgents', { pagination: { pageSize: 100 } });
        expect(agents.length).to.be.above(15);
        const ids = idsIn(`${fixture.folder.path}/muster.db`);
        expect(ids.length).to.be.above(30);
        const start = schemaHistory.indexOf(name);
        const defaultStep = newShapes.has(start) ? 12 : 72;
        const step = isWhole ? 1 : defaultStep;
        // Each database begins with another agent, so that together they have every phase.
        for (let at = start % step; at < ids.length; at += step) {
          await live(fixture, ids[at] ?? '', courses[(start + at) % courses.length] ?? []);
        }
      } finally {
        await fixture.close();
      }
    });
  }

  it('has every snapshot in the current version once it is open', async () => {
    const folder = temporaryFolder('older');
    for (const name of schemaHistory) {
      const file = `${folder.path}/${name}.db`;
      writeOldDatabase(name, file);
      await (await open(file)).close();
      const versions = rowsOfFile(file, `select distinct json_extract(snapshot, '$.version') as v from agent`);
      expect(versions, name).to.deep.equal([{ v: snapshotUpgrades.versionOf('agent') }]);
    }
    folder.remove();
  });

  it('keeps its new workflows without isolation', async () => {
    for (const name of [schemaHistory[0], schemaHistory.at(-1)]) {
      const prepare = (file: string) => writeOldDatabase(name ?? '', file);
      const fixture = await registryFixture({ prepare, isolationSetting: 'begun' });
      const { defaultIsolation } = await fixture.call<{ defaultIsolation: string }>('ListWorkflows');
      await fixture.close();
      expect(defaultIsolation).to.equal('ISOLATION_NONE');
    }
  });

  it('is refused if a newer muster wrote a snapshot', async () => {
    const folder = temporaryFolder('newer');
    const file = `${folder.path}/muster.db`;
    writeOldDatabase(schemaHistory.at(-1) ?? '', file);
    const database = new Database(file);
    database.exec(`update agent set snapshot = json_set(snapshot, '$.version', 99) where rowid = 3`);
    database.close();
    const error = await open(file).catch((thrown: Failure) => thrown);
    folder.remove();
    expect(error).to.have.property('code', 'failed_precondition');
  });

  it('is upgraded by steps that change no current data', () => {
    const cwd = '/repo';
    const old = { name: 'a', hasSetup: true, hasTeardown: false, worktree: { path: '/trees/a', branch: 'b' } };
    const once = snapshotUpgrades.upgrade('agent', { value: 'archived', context: old }, { cwd });
    expect(once.context).to.deep.equal({
      name: 'a',
      firstName: 'a',
      archived: true,
      scripts: ['setup'],
      turns: 0,
      worktree: { path: '/trees/a', branch: 'b', repository: '/repo' },
    });
    const briefed = snapshotUpgrades.upgrade('agent', { value: 'live', context: { ...old, briefed: true } }, { cwd });
    expect(briefed.context, 'turns before they were counted').not.to.have.property('turns');
    const { version: _, ...unversioned } = once;
    expect(snapshotUpgrades.upgrade('agent', unversioned, { cwd: '/elsewhere' })).to.deep.equal(once);
  });
});

/** Opens a database as a registry does. */
function open(file: string): Promise<Store> {
  return openStore({ engine: new SqliteEngine(file), clock: testClock(), viewOf, upgrades: snapshotUpgrades });
}

function idsIn(file: string): string[] {
  return rowsOfFile(file, 'select id from agent order by id').map(({ id }) => String(id));
}

/** Asks a course of an agent, and in the end removes it by force. */
async function live(fixture: RegistryFixture, agentId: string, course: readonly string[]): Promise<void> {
  const ask = async (method: string, more: object = {}) => {
    try {
      await fixture.call(method, { agentId, ...more });
    } catch (error) {
      expect(refusals, `${method} of ${agentId}: ${String(error)}`).to.include((error as Failure).code);
    }
    await settle(fixture, agentId);
  };
  await ask('GetAgent');
  for (const method of course) await ask(method);
  await ask('DeleteAgent', { force: true });
  const { snapshot } = await fixture.host.registry.load(agentId);
  expect(phaseOf(snapshot.value), `${agentId} in the end`).to.equal('gone');
}

/** Does what the agent's host would, until nothing is left to do. */
async function settle({ host }: RegistryFixture, agentId: string): Promise<void> {
  for (let rounds = 0; rounds < 20; rounds += 1) {
    const record: AgentRecord = await host.registry.load(agentId);
    const event = record.effects.map(({ kind }) => results[kind]).find((one) => one !== undefined);
    if (event === undefined) return;
    await host.tell(agentId, event);
  }
  throw new Error(`${agentId} does not come to rest`);
}
