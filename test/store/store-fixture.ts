import { join } from 'node:path';
import type { AgentCommit, Launch } from '#contract/wire/agent-record.ts';
import type { AgentContext } from '#machines/agent/agent-context.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import type { Worktree } from '#machines/agent/worktree.ts';
import type { NewAgent } from '#store/agent/new-agent.ts';
import { bareHost } from '#store/host/bare-host.ts';
import { openStore, type Store } from '#store/store.ts';
import { bareWorkflow } from '#store/workflow/bare-workflow.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';
import { agentContext } from '#test/support/agent-context.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type TestClock, testClock } from '#test/support/test-clock.ts';
import { testDatabase } from './run-engine.ts';

/** A store on a real file with a clock that the test moves. */
export interface StoreFixture {
  readonly folder: TemporaryFolder;
  readonly file: string;
  readonly clock: TestClock;
  readonly store: Store;
  /** Closes the store and opens it again on the same file. */
  reopen(): Promise<Store>;
  close(): Promise<void>;
}

export async function storeFixture(): Promise<StoreFixture> {
  const folder = temporaryFolder('store');
  const file = join(folder.path, 'muster.db');
  const clock = testClock();
  const database = await testDatabase(folder.path);
  let store = await openStore({ engine: database.engine(), clock, viewOf });
  return {
    folder,
    file,
    clock,
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      store = await openStore({ engine: database.engine(), clock, viewOf });
      return store;
    },
    async close() {
      await store.close();
      await database.drop();
      folder.remove();
    },
  };
}

const launch: Launch = {
  name: 'fix-login',
  harness: 'claude',
  flags: '--verbose',
  cwd: '/repo',
  briefing: 'Fix the login.',
  provision: true,
  copyFiles: ['.env'],
  scripts: {},
  sessionId: '00000000-0000-4000-8000-000000000001',
};

/** A snapshot as the agent's machine would persist it. */
export function snapshotOf(value: unknown, context: Partial<AgentContext> = {}) {
  return {
    value,
    context: agentContext({ name: launch.name, archived: value === 'archived', ...context }),
  };
}

/** An agent that is just created: one effect, one fact, one deadline. */
export function newAgent(id: string, given: Partial<NewAgent> & { readonly name?: string } = {}): NewAgent {
  const { name = id, ...rest } = given;
  return {
    id,
    parentAgentId: undefined,
    spawnedByAgentId: undefined,
    createdBy: 'person',
    idempotencyKey: undefined,
    hostId: 'hst_1',
    workflowId: 'wfl_1',
    role: 'AGENT_ROLE_IMPLEMENTER',
    launch: { ...launch, name },
    decision: {
      snapshot: snapshotOf({ settingUp: 'provisioning' }, { name }),
      effects: [{ kind: 'provisionWorktree', params: {} }],
      facts: [{ kind: 'agent.created', detail: { name } }],
      deadlines: { 'settingUp.provisioning': 900_000 },
    },
    ...rest,
  };
}

/** A commit on an agent's first version that changes nothing but what is given. */
export function commitOn(agentId: string, given: Partial<AgentCommit> = {}): AgentCommit {
  return {
    agentId,
    epoch: 1,
    version: 1,
    snapshot: snapshotOf({ settingUp: 'provisioning' }, { name: agentId }),
    effects: [],
    done: [],
    facts: [],
    deadlines: {},
    ...given,
  };
}

/** Writes the host that agents of these tests are placed on. */
export async function saveHost(store: Store, id = 'hst_1'): Promise<void> {
  const said = { name: id, harnesses: ['claude'] };
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
  const row = { id, ...said, ...unbound, codingHarnesses: [], seenAt: 0, snapshot: { value: 'online', context: said } };
  await store.write(({ instances }) => instances.begin('host', [{ row }]));
}

/** A stored workflow with only the given fields set. */
export function storedWorkflow(given: Partial<StoredWorkflow> = {}): StoredWorkflow {
  const bare = bareWorkflow({ name: 'flow', cwd: '/repo', harness: 'claude' }, []);
  return { ...bare, id: 'wfl_1', createdAt: 1, updatedAt: 1, ...given };
}

/** A worktree that was provisioned for an agent. */
export function worktreeOn(branch: string): Worktree {
  return { repository: '/repo/.git', path: `/trees/${branch}`, branch, baseSha: 'abc', copied: [] };
}
