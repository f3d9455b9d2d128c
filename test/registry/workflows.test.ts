import { expect } from 'chai';
import type { Workflow } from '#contract/workflow.ts';
import { failureOf } from '#test/support/failure.ts';
import { firstWorkflow, type Made, type RegistryFixture, registryFixture } from './registry-fixture.ts';

describe('workflows', () => {
  let fixture: RegistryFixture;

  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(() => fixture.close());

  const update = async (workflowId: string, changes: object) =>
    (await fixture.call<{ workflow: Made<Workflow> }>('UpdateWorkflow', { workflowId, ...changes })).workflow;
  const get = async (workflowId: string) =>
    (await fixture.call<{ workflow: Made<Workflow> }>('GetWorkflow', { workflowId })).workflow;
  const list = async (request: object = {}) =>
    fixture.call<{ workflows: Made<Workflow>[]; nextPageToken?: string }>('ListWorkflows', request);

  const whole = {
    name: 'Web',
    cwd: '/elsewhere',
    flags: '--fast',
    harness: 'codex',
    context: 'We use tabs.',
    provisionEnabled: false,
    role: 'AGENT_ROLE_REVIEWER' as const,
    baseBranch: 'develop',
    host: 'hst_1',
    scripts: { setup: 'npm ci', teardown: 'rm -rf node_modules' },
    copyFiles: ['.env', 'config/*.local'],
  };

  it('begin with one at the first beat of a host: for the start folder, with the first CLI there', async () => {
    expect(await firstWorkflow(fixture)).to.deep.include({ name: 'default', cwd: '/repo', harness: 'claude' });
    await fixture.host.beat();
    await fixture.restart();
    await fixture.host.beat();
    expect((await list()).workflows).to.have.length(1);
  });

  it('do not recreate the first one after its deletion', async () => {
    await fixture.call('DeleteWorkflow', { workflowId: (await firstWorkflow(fixture)).id });
    await fixture.restart();
    await fixture.host.beat();
    expect((await list()).workflows).to.deep.equal([]);
  });

  it('store all given fields', async () => {
    const made = await fixture.workflow(whole);
    expect(made).to.deep.include(whole);
    await fixture.restart();
    expect(await get(made.id)).to.deep.equal(made);
  });

  it('are tried with a launch’s setup, and not at all if a launch would not run it', async () => {
    const tried = (workflowId: string, more: object = {}) => fixture.call('TryWorkflow', { workflowId, ...more });
    const { id } = await fixture.workflow({ ...whole, provisionEnabled: true, environment: ['ACME=1'] });
    await tried(id);
    const [order] = fixture.host.trials;
    const { cwd, baseBranch, harness, copyFiles } = whole;
    const taken = { name: 'Web', command: 'npm ci', environment: ['ACME=1'], cwd, baseBranch, harness, copyFiles };
    expect(order).to.deep.include(taken);
    await tried(id, { setup: 'make' });
    expect(fixture.host.trials[1]?.command).to.equal('make');
    const plain = await fixture.workflow({ name: 'plain', provisionEnabled: true });
    expect((await failureOf(() => tried(plain.id))).reason).to.equal('NOTHING_TO_TRY');
    const inPlace = await fixture.workflow({ ...whole, name: 'in place' });
    expect((await failureOf(() => tried(inPlace.id))).reason).to.equal('NOTHING_TO_TRY');
    expect(fixture.host.trials).to.have.length(2);
  });

  it('resolve the directory on the host', async () => {
    fixture.host.directories.set('/home/me/work', true);
    expect((await fixture.workflow({ cwd: '~/work' })).cwd).to.equal('/home/me/work');
  });

  const refused = [
    { what: 'no name', given: { name: '' }, code: 'invalid_argument' },
    { what: 'a name in which nothing can be shown', given: { name: '\n' }, code: 'invalid_argument' },
    { what: 'a name of 201 characters', given: { name: '😀'.repeat(201) }, code: 'invalid_argument' },
    { what: 'no directory', given: { cwd: '' }, code: 'invalid_argument' },
    { what: 'a relative directory', given: { cwd: 'src' }, code: 'invalid_argument' },
    { what: 'a directory that is not there', given: { cwd: '/none' }, code: 'invalid_argument' },
    { what: 'an unknown harness', given: { harness: 'vim' }, code: 'invalid_argument' },
    { what: 'an unknown host', given: { host: 'hst_9' }, code: 'not_found' },
    { what: 'a context of 50001 characters', given: { context: 'x'.repeat(50_001) }, code: 'invalid_argument' },
    {
      what: 'a script of 50001 characters',
      given: { scripts: { setup: 'x'.repeat(50_001) } },
      code: 'invalid_argument',
    },
    { what: '101 patterns of files', given: { copyFiles: Array(101).fill('.env') }, code: 'invalid_argument' },
    { what: 'flags with an open quote', given: { flags: '--say "hi' }, code: 'invalid_argument' },
    { what: 'a branch that reads as an option', given: { baseBranch: '--force' }, code: 'invalid_argument' },
    { what: 'a name that is taken', given: { name: 'default' }, code: 'already_exists' },
  ];
  for (const { what, given, code } of refused) {
    it(`refuse ${what} as ${code}, on creation and on changes`, async () => {
      expect(await failureOf(() => fixture.workflow(given))).to.have.property('code', code);
      if (Object.values(given).includes('')) return;
      const { id } = await fixture.workflow({ name: 'other' });
      expect(await failureOf(() => update(id, given))).to.have.property('code', code);
      expect((await get(id)).name).to.equal('other');
    });
  }

  it('change given fields and keep the others', async () => {
    const made = await fixture.workflow(whole);
    fixture.clock.pass(1000);
    const changed = await update(made.id, { flags: '--slow', scripts: { setup: 'pnpm i' }, provisionEnabled: true });
    expect(changed).to.deep.equal({
      ...made,
      flags: '--slow',
      provisionEnabled: true,
      scripts: { setup: 'pnpm i', teardown: 'rm -rf node_modules' },
      updatedAt: '2026-11-21T09:00:01.000Z',
    });
    expect(await get(made.id)).to.deep.equal(changed);
    expect((await update(made.id, { name: 'Web', cwd: '/repo' })).cwd).to.equal('/repo');
  });

  it('write nothing without a change', async () => {
    const made = await fixture.workflow(whole);
    fixture.clock.pass(1000);
    expect(await update(made.id, { flags: whole.flags, copyFiles: [], context: '' })).to.deep.equal(made);
  });

  it('clear fields, and set given ones in the same call', async () => {
    const made = await fixture.workflow(whole);
    const clear = ['flags', 'harness', 'context', 'provisionEnabled', 'role', 'baseBranch', 'host', 'copyFiles'];
    const cleared = await update(made.id, { clear: [...clear, 'scripts'], scripts: { onIdle: 'say idle' } });
    expect(cleared).to.deep.include({
      name: 'Web',
      cwd: '/elsewhere',
      flags: '',
      harness: '',
      context: '',
      baseBranch: '',
      host: '',
      scripts: { onIdle: 'say idle' },
      copyFiles: [],
    });
    expect(cleared).not.to.have.any.keys('provisionEnabled', 'role');
  });

  it('refuse to clear a required field', async () => {
    const { id } = await fixture.workflow();
    for (const clear of [['name'], ['cwd'], ['id']]) {
      expect(await failureOf(() => update(id, { clear }))).to.have.property('code', 'invalid_argument');
    }
  });

  it('are deleted only without agents, archived ones included', async () => {
    const { id } = await fixture.workflow();
    const agent = await fixture.create({ workflowId: id, provisionEnabled: false });
    const remove = () => fixture.call('DeleteWorkflow', { workflowId: id });
    expect(await failureOf(remove)).to.have.property('code', 'failed_precondition');
    await fixture.call('ArchiveAgent', { agentId: agent.id });
    expect(await failureOf(remove)).to.have.property('code', 'failed_precondition');
    await fixture.call('DeleteAgent', { agentId: agent.id });
    await fixture.host.tell(agent.id, { type: 'PANE_CLOSED' });
    await remove();
    expect(await failureOf(() => get(id))).to.have.property('code', 'not_found');
    expect(await failureOf(remove)).to.have.property('code', 'not_found');
  });

  it('are listed in pages, most recently updated first', async () => {
    for (let made = 0; made < 7; made += 1) {
      fixture.clock.pass(10);
      await fixture.workflow({ name: `w${made}` });
    }
    const names: string[] = [];
    let cursor = '';
    do {
      const page = await list({ pagination: { pageSize: 3, cursor } });
      names.push(...page.workflows.map(({ name }) => name));
      cursor = page.nextPageToken ?? '';
    } while (cursor !== '');
    expect(names).to.deep.equal(['w6', 'w5', 'w4', 'w3', 'w2', 'w1', 'w0', 'default']);
    expect(await failureOf(() => list({ pagination: { cursor: 'x' } }))).to.have.property('code', 'invalid_argument');
    expect(await failureOf(() => list({ pagination: { pageSize: -3 } }))).to.have.property('code', 'invalid_argument');
  });

  it('are listed in pages within the bus’s limit, however long they are', async () => {
    const long = '\u0001'.repeat(50_000);
    for (let made = 0; made < 8; made += 1) {
      await fixture.workflow({ context: long, scripts: { setup: long, teardown: long } });
    }
    const first = await list();
    expect(first.workflows).to.have.length(4);
    const second = await list({ pagination: { cursor: first.nextPageToken } });
    expect(second.workflows).to.have.length(5);
    expect(second).not.to.have.property('nextPageToken');
  });

  it('omit scripts if there are none', async () => {
    expect(await fixture.workflow()).not.to.have.property('scripts');
  });

  it('publish each change', async () => {
    const { id } = await fixture.workflow({ name: 'told' });
    await update(id, { flags: '-v', cwd: '/elsewhere' });
    await fixture.call('DeleteWorkflow', { workflowId: id });
    const { facts } = await fixture.call<{ facts: { kind: string; detail: string }[] }>('ListFacts', { subjectId: id });
    expect(facts.map(({ kind, detail }) => [kind, JSON.parse(detail)])).to.deep.equal([
      ['workflow.deleted', { name: 'told' }],
      ['workflow.changed', { fields: ['flags', 'cwd'] }],
      ['workflow.created', { name: 'told' }],
    ]);
  });
});
