import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Workflow } from '#contract/workflow.ts';
import { pull, type Repository } from '#test/forge/doubles/world.ts';
import { type ForgeStage, forgeStage } from '#test/registry/forge/forge-stage.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';

const own = 'https://git.forge.test/acme/app';
const secret = 'https://git.forge.test/acme/secret';

/** The forge's credential sees both repositories; a person made the workflow where the remotes name one of them. */
describe('an agent that points its checkout to another repository', () => {
  let stage: ForgeStage;
  let workflowId: string;
  let thief: string;
  /** What the forge was asked. */
  let asked: string[];
  const call = <T = unknown>(method: string, request: object, agentId?: string): Promise<T> =>
    stage.fixture.call<T>(method, request, agentId === undefined ? 'person' : { agentId });
  const rowOf = async (agentId: string): Promise<AgentRow> =>
    (await call<{ agent: AgentRow }>('GetAgent', { agentId })).agent;
  const workflow = async (): Promise<Workflow> =>
    (await call<{ workflow: Workflow }>('GetWorkflow', { workflowId })).workflow;
  const askedOfSecret = () => asked.filter((body) => body.includes('secret'));

  async function agentOn(repositoryUrl: string, given: object = {}): Promise<string> {
    const { id } = await stage.fixture.create({ workflowId, ...given });
    await stage.fixture.host.bringUp(id);
    await pointTo(id, repositoryUrl);
    return id;
  }
  /** As its host reads it off the checkout's configuration, whichever way that was written. */
  const pointTo = (id: string, repositoryUrl: string) =>
    stage.fixture.host.tell(id, {
      type: 'CHECKOUT_READ',
      checkout: { branch: 'topic', repositoryUrl },
      worktreeGone: false,
    });

  beforeEach(async () => {
    asked = [];
    stage = await forgeStage();
    const { double, world, fixture } = stage;
    stage.double = (request) => {
      asked.push(`${request.url} ${request.body}`);
      return double(request);
    };
    for (const path of ['acme/app', 'acme/secret']) {
      const repository: Repository = world.repository(path);
      repository.pulls = [
        pull(7, { branch: 'topic', title: `Of ${path}`, checks: [{ name: 'unit', state: 'failed' }] }),
      ];
    }
    await stage.add();
    fixture.host.remotes.set('/repo', [own]);
    const mailed = { mailOnPullRequest: ['PULL_REQUEST_MATTER_FAILING_CHECKS' as const] };
    ({ id: workflowId } = await fixture.workflow(mailed));
    const honest = await agentOn(own);
    thief = await agentOn(secret);
    await moment('what is read shows', async () => (await rowOf(honest)).pullRequest?.title === 'Of acme/app');
    await moment('people are told', async () => ((await workflow()).unconfirmedRepositories ?? []).length > 0);
  });
  afterEach(() => stage.fixture.close());

  it('gets no data or mail of it, the forge gets no request, and people see what to confirm', async () => {
    const { pullRequest, pullRequests, unconfirmedRepositoryUrl, unreadMail } = await rowOf(thief);
    expect({ pullRequest, pullRequests, unconfirmedRepositoryUrl, unreadMail }).to.deep.equal({
      pullRequest: { state: 'PULL_REQUEST_STATE_UNREAD' },
      pullRequests: undefined,
      unconfirmedRepositoryUrl: secret,
      unreadMail: undefined,
    });
    expect(await workflow()).to.deep.include({ repositories: [own], unconfirmedRepositories: [secret] });
    const { facts } = await call<{ facts: { kind: string; detail: string }[] }>('ListFacts', { subjectId: workflowId });
    const told = facts.filter(({ kind }) => kind === 'repository.unconfirmed');
    expect(told.map(({ detail }) => JSON.parse(detail))).to.deep.equal([{ repositoryUrl: secret, agentIds: [thief] }]);
    expect(askedOfSecret()).to.deep.equal([]);
  });

  it('gets not_found, also as an orchestrator, and lists nothing even once others read it', async () => {
    const lead = await agentOn(secret, { role: 'AGENT_ROLE_ORCHESTRATOR' });
    for (const method of ['ListForgePullRequests', 'SweepRepository', 'ListPullRequests']) {
      const refusal = await failureOf(() => call(method, { remoteUrl: 'git@git.forge.test:acme/secret' }, lead));
      expect(refusal.code, method).to.equal('not_found');
    }
    expect(askedOfSecret()).to.deep.equal([]);
    const { id: other } = await stage.fixture.workflow();
    await call('ConfirmRepository', { workflowId: other, remoteUrl: secret });
    await call('SweepRepository', { remoteUrl: secret });
    await moment('a person has it read', async () => {
      const { pullRequests = [] } = await call<{ pullRequests?: object[] }>('ListPullRequests', { remoteUrl: secret });
      return pullRequests.length === 1;
    });
    for (const request of [{}, { agentId: thief }]) {
      const listed = await call<{ pullRequests?: { title: string }[] }>('ListPullRequests', request, lead);
      expect((listed.pullRequests ?? []).map(({ title }) => title)).not.to.include('Of acme/secret');
    }
    expect((await rowOf(thief)).pullRequest).to.deep.equal({ state: 'PULL_REQUEST_STATE_UNREAD' });
    await pointTo(lead, own);
    const mine = await call<{ pullRequests?: object[] }>('ListForgePullRequests', { remoteUrl: own }, lead);
    expect(mine.pullRequests).to.have.length(1);
  });

  it('cannot confirm it itself, nor through a workflow change that names the directory again', async () => {
    for (const method of ['ConfirmRepository', 'WithdrawRepository', 'UpdateWorkflow']) {
      const refusal = await failureOf(() => call(method, { workflowId, remoteUrl: secret }, thief));
      expect(refusal.code, method).to.equal('permission_denied');
    }
    stage.fixture.host.remotes.set('/repo', [secret]);
    await call('UpdateWorkflow', { workflowId, cwd: '/repo', flags: '--verbose' });
    expect((await workflow()).repositories).to.deep.equal([own]);
    stage.fixture.host.remotes.set('/elsewhere', ['https://git.forge.test/acme/other']);
    await call('UpdateWorkflow', { workflowId, cwd: '/elsewhere' });
    expect((await workflow()).repositories).to.deep.equal(['https://git.forge.test/acme/other']);
  });

  it('gets it once a person confirms it, in any spelling, until the person withdraws it', async () => {
    await call('ConfirmRepository', { workflowId, remoteUrl: 'git@GIT.forge.test:Acme/Secret.git' });
    expect((await rowOf(thief)).unconfirmedRepositoryUrl).to.equal(undefined);
    expect((await workflow()).unconfirmedRepositories ?? []).to.deep.equal([]);
    await moment('it shows', async () => (await rowOf(thief)).pullRequest?.title === 'Of acme/secret');
    await call('WithdrawRepository', { workflowId, remoteUrl: secret });
    expect((await rowOf(thief)).pullRequest).to.deep.equal({ state: 'PULL_REQUEST_STATE_UNREAD' });
    const again = await failureOf(() => call('WithdrawRepository', { workflowId, remoteUrl: secret }));
    expect(again.code).to.equal('not_found');
  });
});
