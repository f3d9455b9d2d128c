import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Failure } from '#contract/failure.ts';
import type { Workflow } from '#contract/workflow.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type Outcome, runInside, type Setting } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { agentRow, fleetService } from '../fleet.ts';

describe('muster new in a git repository', () => {
  let service: FakeService;
  const muster = (argv: readonly string[], setting: Setting = {}): Promise<Outcome> =>
    runInside(argv, { env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' }, ...setting });
  beforeEach(async () => {
    service = await fleetService();
    service.on('agent.v1.AgentService/CreateAgent', () => ({ agent: { id: 'agt_new', name: 'fix-login' } }));
    folder = temporaryFolder('standing');
    const git = (...args: string[]) => execFileSync('git', ['-C', folder.path, ...args]);
    git('init', '-q', 'shop');
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
    git('-C', 'shop', ...author, 'commit', '-q', '--allow-empty', '-m', 'x');
    git('-C', 'shop', 'worktree', 'add', '-q', '../shop-fix');
    mkdirSync(join(repository(), 'src'));
  });
  afterEach(async () => {
    await service.close();
    folder.remove();
  });
  const request = () => service.requestsOf('agent.v1.AgentService/CreateAgent').at(-1);

  let folder: TemporaryFolder;
  const repository = () => join(realpathSync(folder.path), 'shop');
  const list = (...workflows: Workflow[]) =>
    service.on('workflow.v1.WorkflowService/ListWorkflows', () => ({
      workflows: [{ id: 'wfl_1', name: 'default', cwd: '/elsewhere' }, ...workflows],
    }));

  it('launches into the workflow of that repository, from any folder of it', async () => {
    list({ id: 'wfl_9', name: 'shop', cwd: repository() });
    const { err } = await muster(['new', 'x'], { cwd: join(repository(), 'src') });
    expect(request()).to.deep.equal({ prompt: 'x', workflowId: 'wfl_9' });
    expect(err).to.match(/^Follow it with/);
  });

  it('starts in a worktree of it if that is the current or named directory; a named one takes precedence', async () => {
    list({ id: 'wfl_9', name: 'shop', cwd: repository() });
    const dir = `${repository()}-fix`;
    await muster(['new', 'x'], { cwd: dir });
    expect(request()).to.deep.equal({ prompt: 'x', workflowId: 'wfl_9', dir });
    await muster(['new', 'x', '--dir', '../shop-fix'], { cwd: repository() });
    expect(request()).to.deep.equal({ prompt: 'x', workflowId: 'wfl_9', dir });
    await muster(['new', 'x', '-w', 'default'], { cwd: dir });
    expect(request()).to.deep.equal({ prompt: 'x', workflowId: 'wfl_1' });
    await muster(['new', 'x', '--host', 'h'], { cwd: dir });
    expect(request()).to.deep.equal({ prompt: 'x', workflowId: 'wfl_1', host: 'h' });
  });

  it('creates a workflow if there is none, with a notice, under a free name', async () => {
    list({ id: 'wfl_8', name: 'shop', cwd: '/other/shop' });
    service.on('workflow.v1.WorkflowService/CreateWorkflow', ({ name, cwd }) => {
      if (name !== 'shop') return { workflow: { id: 'wfl_9', name, cwd } };
      throw new Failure('NAME_TAKEN', 'taken', { metadata: { name, holderId: 'wfl_8' } });
    });
    const { err } = await muster(['new', 'x'], { cwd: repository() });
    expect(request()).to.deep.equal({ prompt: 'x', workflowId: 'wfl_9' });
    expect(err).to.include(`Created the workflow shop-2 for ${repository()} (muster workflow edit changes it)\n`);
    expect(err).not.to.include('sandbox');
    await muster(['new', 'x', '--harness', 'shell'], { cwd: repository() });
    expect(service.requestsOf('workflow.v1.WorkflowService/CreateWorkflow').at(-1)).to.include({ harness: 'shell' });
  });

  it('says how the agents of a new workflow are isolated', async () => {
    list();
    const isolation = 'ISOLATION_SANDBOX' as const;
    service.on('workflow.v1.WorkflowService/CreateWorkflow', ({ name, cwd }) => ({
      workflow: { id: 'wfl_9', name, cwd, isolation },
    }));
    const isolated = await muster(['new', 'x'], { cwd: repository() });
    expect(isolated.err).to.include('Its agents run in a sandbox').and.to.include('edit shop --isolation none');
    service.on('workflow.v1.WorkflowService/CreateWorkflow', ({ name, cwd }) => ({
      workflow: { id: 'wfl_9', name, cwd },
      notIsolated: 'On host h, agents cannot be isolated: bwrap is missing',
    }));
    const open = await muster(['workflow', 'create', 'shop'], { cwd: repository() });
    expect(open.err).to.equal(
      'Its agents run without isolation. On host h, agents cannot be isolated: bwrap is missing\n',
    );
  });

  it('removes the workflow that it created if the launch is refused', async () => {
    list();
    const deleted: unknown[] = [];
    service.on('workflow.v1.WorkflowService/CreateWorkflow', ({ name, cwd }) => ({
      workflow: { id: 'wfl_9', name, cwd },
    }));
    service.on('workflow.v1.WorkflowService/DeleteWorkflow', (given) => {
      deleted.push(given);
      return {};
    });
    service.on('agent.v1.AgentService/CreateAgent', () => {
      throw new Failure('HARNESS_UNAVAILABLE', 'There is no coding agent on host h');
    });
    const { code, err } = await muster(['new', 'x'], { cwd: repository() });
    expect(code).not.to.equal(0);
    expect(err).to.equal('There is no coding agent on host h\n');
    expect(deleted).to.deep.equal([{ workflowId: 'wfl_9' }]);
  });

  it('reports which of several workflows it uses, and how to choose another', async () => {
    const [shop, docs] = [
      { id: 'wfl_9', name: 'shop', cwd: repository() },
      { id: 'wfl_8', name: 'docs', cwd: repository() },
    ];
    list(shop, docs, { id: 'wfl_7', name: 'elsewhere', cwd: '/other' });
    const { err } = await muster(['new', 'x'], { cwd: repository() });
    expect(request()).to.deep.equal({ prompt: 'x', workflowId: 'wfl_9' });
    expect(err).to.include('Launching with shop, the workflow of ');
    expect(err)
      .to.include(' that was changed last; --workflow selects another: docs\n')
      .and.not.to.include('elsewhere');
  });

  it('uses a workflow that another call has created meanwhile', async () => {
    list();
    service.on('workflow.v1.WorkflowService/CreateWorkflow', ({ name }) => {
      list({ id: 'wfl_9', name, cwd: repository() });
      throw new Failure('NAME_TAKEN', 'taken', { metadata: { name, holderId: 'wfl_9' } });
    });
    const { err } = await muster(['new', 'x'], { cwd: repository() });
    expect(request()).to.deep.equal({ prompt: 'x', workflowId: 'wfl_9' });
    expect(err).not.to.include('Made');
  });

  it('launches into the caller’s own workflow in the pane of an agent', async () => {
    const agent = agentRow({ name: 'lead', workflowId: 'wfl_7' });
    service.on('agent.v1.AgentService/GetAgent', () => ({ agent }));
    const env = { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', SERVICE_AGENT_ID: 'agt_lead' };
    await muster(['new', 'x'], { cwd: repository(), env });
    expect(request()).to.deep.equal({ prompt: 'x', workflowId: 'wfl_7' });
  });
});
