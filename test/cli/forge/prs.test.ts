import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { PullRequest } from '#contract/forge/pull-request.ts';
import { refusalWith } from '#test/support/failure.ts';
import { type Outcome, runInside, type Setting } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { agentRow, fleetService } from '../fleet.ts';

const path = 'forge.v1.ForgeService';
const found: PullRequest = {
  id: 'pul_1',
  number: 12,
  state: 'PULL_REQUEST_STATE_APPROVED_WAITING',
  checks: 'CHECKS_PENDING',
  reviewDecision: 'REVIEW_DECISION_APPROVED',
  title: 'Mend the \u001b[31mlogin',
  headBranch: 'muster/login',
  repositoryUrl: 'https://github.com/acme/app',
  url: 'https://github.com/acme/app/pull/12',
};

describe('muster prs', () => {
  let service: FakeService;
  let asked: object[];
  const run = (argv: readonly string[], setting: Setting = {}): Promise<Outcome> =>
    runInside(argv, { env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' }, ...setting });

  beforeEach(async () => {
    asked = [];
    service = await fleetService();
    service.on(`${path}/ListPullRequests`, (request) => {
      asked.push(request as object);
      return { pullRequests: [found] };
    });
  });
  afterEach(() => service.close());

  it('lists stored ones without control sequences', async () => {
    const { out, err, code } = await run(['prs'], {
      tty: true,
      size: { columns: 120, rows: 20, listeners: new Set() },
    });
    expect(out.split('\n').map((line) => line.trimEnd())).to.deep.equal([
      'NUMBER  STATE             CHECKS   REVIEWS   MOVED  TITLE                     BRANCH        REPOSITORY',
      '#12     approved waiting  pending  approved         Mend the \\u001b[31mlogin  muster/login  github.com/acme/app',
      '',
    ]);
    expect({ err, code }).to.deep.equal({ err: '', code: 0 });
  });

  it('filters by agent, repository and state', async () => {
    await run(['prs', 'busy', '--remote', 'git@github.com:acme/app', '--state', 'approved-waiting', '-o', 'json']);
    expect(asked[0]).to.deep.include({
      remoteUrl: 'git@github.com:acme/app',
      state: 'PULL_REQUEST_STATE_APPROVED_WAITING',
    });
    expect(asked[0]).to.have.property('agentId').that.matches(/^agt_/);
    expect((await run(['prs', '--state', 'unread'])).code).to.equal(2);
  });

  it('explains the first steps if there are none', async () => {
    service.on(`${path}/ListPullRequests`, () => ({}));
    const none = async (...argv: string[]) => (await run(['prs', ...argv], { tty: true })).out;
    service.on(`${path}/ListForgeConnections`, () => ({}));
    expect(await none()).to.match(/no forge is connected yet: muster forge add HOST/);
    const connected = async (...argv: string[]) => {
      const said = await none(...argv);
      expect(said).not.to.include('forge add');
      return said;
    };
    service.on(`${path}/ListForgeConnections`, () => ({ connections: [{ id: 'for_1', host: 'github.com' }] }));
    expect(await connected()).to.match(/^No pull requests have been read\. .* muster prs --sweep URL reads one now\n$/);
    expect(await connected('--state', 'open')).to.equal('No pull request that was read matches\n');
    service.on(`${path}/ListForgeConnections`, () => {
      throw refusalWith('permission_denied', 'people only');
    });
    expect(await connected()).to.match(/^No pull requests have been read/);
  });

  it('requests a sweep of a repository', async () => {
    service.on(`${path}/SweepRepository`, (request) => {
      asked.push(request as object);
      return { repository: { url: 'https://github.com/acme/app' } };
    });
    const { out } = await run(['prs', '--sweep', 'git@github.com:acme/app'], { tty: true });
    expect(out).to.equal('https://github.com/acme/app is being read: muster prs lists the result\n');
    expect(asked).to.deep.equal([{ remoteUrl: 'git@github.com:acme/app' }]);
  });
});

describe('pull requests beside agents', () => {
  let service: FakeService;
  const run = (argv: readonly string[]): Promise<Outcome> =>
    runInside(argv, { env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' }, tty: true });
  const row: AgentRow = {
    ...agentRow({ name: 'login', branch: 'muster/login' }),
    pullRequest: {
      state: 'PULL_REQUEST_STATE_FAILING',
      number: 12,
      url: found.url,
      title: 'Mend the login',
      checks: 'CHECKS_FAILING',
      mergeability: 'MERGEABILITY_CLEAN',
    },
    pullRequests: [found, { ...found, number: 9, state: 'PULL_REQUEST_STATE_CLOSED' }],
  };

  beforeEach(async () => {
    service = await fleetService();
    service.on('agent.v1.AgentService/ListAgents', () => ({ agents: [row] }));
    service.on('agent.v1.AgentService/GetAgent', () => ({ agent: row }));
  });
  afterEach(() => service.close());

  it('are in the list, in a column that appears only if there is one', async () => {
    expect((await run(['ls'])).out).to.match(/ PR\n.* #12 failing\n/);
    service.on('agent.v1.AgentService/ListAgents', () => ({
      agents: [{ ...row, pullRequest: { state: 'PULL_REQUEST_STATE_NONE' as const }, pullRequests: [] }],
    }));
    expect((await run(['ls'])).out).to.not.match(/ PR\n/);
  });

  it('are shown in full for one agent', async () => {
    const { out } = await run(['show', 'login']);
    expect(out).to.contain(`failing ${found.url} Mend the login (checks failing, merge clean)`);
    expect(out).to.contain('#9 closed');
  });
});
