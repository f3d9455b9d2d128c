import { expect } from 'chai';
import { change } from '#actors/registry/agent/change.ts';
import { advanceRepository } from '#actors/registry/forge/repositories.ts';
import { SweepWork } from '#actors/registry/forge/sweep-work.ts';
import { refreshRepositories } from '#actors/registry/forge/used-repositories.ts';
import { Waiters } from '#actors/registry/kernel/waiters.ts';
import { LeasedWorker } from '#actors/worker/leased-worker.ts';
import { WorkFigures } from '#actors/worker/work-figures.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { PullRequest } from '#contract/forge/pull-request.ts';
import type { RepositoryReading } from '#contract/forge/repository-reading.ts';
import type { Workflow } from '#contract/workflow.ts';
import { confirmed } from '#test/channels/forge-requests.ts';
import { reading, ScriptedForge } from '#test/forge/scripted-forge.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { noPeers } from '#test/support/no-peers.ts';
import { testIds } from '#test/support/test-clock.ts';
import { steadyTimer } from '#world/concurrency/timer.ts';
import { openLog } from '#world/log.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

interface Page {
  readonly pullRequests?: readonly PullRequest[];
  readonly nextPageToken?: string;
}

const repositoryUrl = 'https://forge.test/acme/app';

describe('stored pull requests', () => {
  let fixture: RegistryFixture;
  let forge: ScriptedForge;
  let agentId: string;

  /** An agent at work on a branch of the repository. */
  async function anAgent(branch: string): Promise<string> {
    const { id } = await fixture.create();
    await fixture.host.bringUp(id);
    await fixture.host.tell(id, { type: 'CHECKOUT_READ', checkout: { branch, repositoryUrl }, worktreeGone: false });
    return id;
  }

  /** What writes about repositories, beside the registry. */
  function writeScope() {
    const { store, gateway: bus, clock } = fixture;
    const waiters = new Waiters(clock, noPeers);
    return { store, bus, clock, ids: testIds(), waiters, completions: [], consequences: [] };
  }

  /** Sweeps through a forge of the test's, as the registry would through one that is connected. */
  async function sweep(): Promise<void> {
    const log = openLog({ name: 'sweeps', level: 'silent', folder: fixture.folder.path });
    const scope = {
      ...writeScope(),
      log,
      timer: steadyTimer(),
      work: new WorkFigures(),
      forges: forge,
    };
    await refreshRepositories(scope);
    const sweeper = new LeasedWorker(new SweepWork(scope), scope);
    await sweeper.fill();
    await sweeper.settled();
  }

  beforeEach(async () => {
    fixture = await registryFixture();
    forge = new ScriptedForge();
    forge.pullRequests = Array.from({ length: 25 }, (_, place) =>
      reading(place + 1, {
        headBranch: place === 0 ? 'login' : `branch-${place}`,
        checks: place % 5 === 0 ? 'CHECKS_FAILING' : 'CHECKS_PASSING',
      }),
    );
    await confirmed(fixture, repositoryUrl);
    agentId = await anAgent('login');
  });
  afterEach(() => fixture.close());

  const list = (request: object = {}) => fixture.call<Page>('ListPullRequests', request);
  const numbers = ({ pullRequests = [] }: Page) =>
    pullRequests.map(({ number = 0 }) => number).toSorted((a, b) => a - b);

  it('are listed by agent, by repository in any spelling, and by state', async () => {
    await sweep();
    expect(numbers(await list())).to.have.length(25);
    expect(numbers(await list({ agentId }))).to.deep.equal([1]);
    for (const remoteUrl of [repositoryUrl, 'git@forge.test:Acme/App.git', 'https://forge.test/acme/app.git/']) {
      expect(numbers(await list({ remoteUrl })), remoteUrl).to.have.length(25);
    }
    expect(numbers(await list({ remoteUrl: 'git@forge.test:acme/other' }))).to.deep.equal([]);
    const failing = { state: 'PULL_REQUEST_STATE_FAILING' };
    expect(numbers(await list(failing))).to.deep.equal([1, 6, 11, 16, 21]);
    expect(numbers(await list({ ...failing, agentId, remoteUrl: repositoryUrl }))).to.deep.equal([1]);
    const [first] = (await list({ agentId })).pullRequests ?? [];
    expect(first).to.include({ forge: 'github', repositoryUrl, headRepositoryUrl: repositoryUrl, draft: false });
    expect(first?.openedAt).to.equal('2026-01-01T00:00:00.000Z');
    expect(first).not.to.have.any.keys('mergedAt', 'closedAt');
  });

  it('are listed in pages, each once, with a cursor for the same filters only', async () => {
    await sweep();
    const found: number[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: Page = await list({ remoteUrl: repositoryUrl, pagination: { pageSize: 7, cursor } });
      found.push(...numbers(page));
      cursor = page.nextPageToken;
    }
    expect(found.toSorted((a, b) => a - b)).to.deep.equal(Array.from({ length: 25 }, (_, place) => place + 1));
    const { nextPageToken: cursor } = await list({ pagination: { pageSize: 7 } });
    for (const other of [{ agentId }, { remoteUrl: repositoryUrl }, { state: 'PULL_REQUEST_STATE_OPEN' }]) {
      expect(await failureOf(() => list({ ...other, pagination: { cursor } }))).to.include({
        code: 'invalid_argument',
      });
    }
  });

  it('are refused for an unknown state, an unknown agent, and a repository without a forge', async () => {
    for (const state of ['PULL_REQUEST_STATE_UNREAD', 'PULL_REQUEST_STATE_NONE']) {
      expect((await failureOf(() => list({ state }))).code).to.equal('invalid_argument');
    }
    expect((await failureOf(() => list({ agentId: 'agt_none' }))).code).to.equal('not_found');
    for (const remoteUrl of ['/repo', 'ext::sh -c true', '--upload-pack=x', 'https://me:secret@forge.test/acme/app']) {
      const failure = await failureOf(() => list({ remoteUrl }));
      expect(failure.code, remoteUrl).to.equal('invalid_argument');
      expect(failure.message).not.to.contain('secret');
    }
  });

  it('are next to their agents in lists, and reach watches at once', async () => {
    const { cursor } = await fixture.call<{ cursor: string }>('WatchAgents', {});
    const row = async () => (await fixture.call<{ agents: AgentRow[] }>('ListAgents')).agents[0];
    expect((await row())?.pullRequest).to.deep.equal({ state: 'PULL_REQUEST_STATE_UNREAD' });
    await sweep();
    expect((await row())?.pullRequest).to.include({ state: 'PULL_REQUEST_STATE_FAILING', number: 1 });
    const moved = await fixture.call<{ agents: AgentRow[] }>('WatchAgents', { cursor });
    expect(moved.agents[0]?.pullRequest?.number).to.equal(1);
    const { agent } = await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId });
    expect(agent.pullRequests?.map(({ number }) => number)).to.deep.equal([1]);
    const other = await anAgent('main');
    const { agent: none } = await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId: other });
    expect(none.pullRequest).to.deep.equal({ state: 'PULL_REQUEST_STATE_NONE' });
    expect(none).not.to.have.property('pullRequests');
  });

  it('are pruned some time after they ended, unless an agent’s branch shows them', async () => {
    await sweep();
    await fixture.store.write(async (tables) => {
      const rows = await tables.pullRequests.page({ limit: 100 });
      const closedAt = Date.parse('2026-01-02T00:00:00.000Z');
      for (const row of rows) await tables.pullRequests.save({ ...row, forgeState: 'MERGED', closedAt });
    });
    // What is old is looked for at each start.
    await fixture.restart();
    await moment('the others are forgotten', async () => numbers(await list()).length === 1);
    expect(numbers(await list())).to.deep.equal([1]);
  });

  it('are mailed about only on a workflow’s request, which can be undone', async () => {
    const matters = ['PULL_REQUEST_MATTER_CONFLICT', 'PULL_REQUEST_MATTER_FAILING_CHECKS'] as const;
    const { id: workflowId } = await fixture.workflow({ mailOnPullRequest: [...matters, matters[0]] });
    const shown = async () =>
      (await fixture.call<{ workflow: Workflow }>('GetWorkflow', { workflowId })).workflow.mailOnPullRequest ?? [];
    expect(await shown()).to.deep.equal(matters);
    await fixture.call('UpdateWorkflow', { workflowId, flags: '--verbose' });
    expect(await shown()).to.deep.equal(matters);
    await fixture.call('UpdateWorkflow', { workflowId, clear: ['mailOnPullRequest'] });
    expect(await shown()).to.deep.equal([]);
  });

  describe('are swept on request', () => {
    const ask = (remoteUrl: string) =>
      fixture.call<{ repository: RepositoryReading }>('SweepRepository', { remoteUrl }).then((one) => one.repository);

    it('from a connected forge only', async () => {
      const failure = await failureOf(() => ask('git@forge.test:acme/app'));
      expect(failure.code).to.equal('failed_precondition');
      expect(failure.message).to.contain('forge.test').and.to.contain('muster forge add');
    });

    it('and the answer explains a failure or names the end of the forge’s pause; stored data stays', async () => {
      await sweep();
      await fixture.call('CreateForgeConnection', {
        host: 'forge.test',
        kind: 'FORGE_KIND_GITHUB',
        credentialEnv: 'MUSTER_TEST_NONE',
      });
      expect(await ask('git@forge.test:acme/app')).to.include({ url: repositoryUrl });
      // The credential is missing, which the registry's own sweep reports.
      await moment('the sweep has failed', () =>
        fixture.store.read(async ({ repositories }) => {
          const found = (await repositories.named(['forge.test/acme/app'])).get('forge.test/acme/app');
          return found?.state === 'backingOff' && JSON.stringify(found.snapshot).includes('MUSTER_TEST_NONE');
        }),
      );
      expect((await ask('git@forge.test:acme/app')).failure).to.contain('MUSTER_TEST_NONE');
      const { pullRequest } = (await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId })).agent;
      expect(pullRequest?.number, 'what was read before stays').to.equal(1);

      const until = fixture.clock.now() + 60_000;
      await change(writeScope(), async (writing) => {
        const found = (await writing.tables.repositories.named(['forge.test/acme/app'])).get('forge.test/acme/app');
        if (found !== undefined) await advanceRepository(writing, found, { type: 'PAUSE', until });
      });
      const refused = await failureOf(() => ask('git@forge.test:acme/app'));
      expect(refused.code).to.equal('unavailable');
      expect(refused.message).to.contain(new Date(until).toISOString());
    });
  });
});
