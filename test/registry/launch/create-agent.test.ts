import { expect } from 'chai';
import { nameFromPrompt } from '#actors/registry/agent/agent-name.ts';
import type { Agent, AgentRole } from '#contract/agent/agent.ts';
import type { CreateAgentRequest } from '#contract/operations/create-agent.ts';
import type { FailureCode } from '#contract/reason/failure-code.ts';
import { builtIn } from '#machines/harness/table.ts';
import { failureOf } from '#test/support/failure.ts';
import { firstWorkflow, type Made, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('create_agent', () => {
  let fixture: RegistryFixture;

  before(async () => {
    fixture = await registryFixture({ ceiling: 10_000 });
  });
  after(() => fixture.close());

  const launchOf = async ({ id }: Made<Agent>) => (await fixture.host.registry.load(id)).launch;

  it('returns a durable agent that is being set up, with a pending first effect', async () => {
    const bells = fixture.host.bells;
    const agent = await fixture.create({ prompt: 'Fix the login page, please!' });
    expect(agent).to.deep.include({
      name: 'fix-the-login-page-please',
      state: 'AGENT_STATE_SETTING_UP',
      cwd: '/repo',
      harness: 'claude',
      role: 'AGENT_ROLE_IMPLEMENTER',
      hostId: 'hst_1',
      createdAt: '2026-11-21T09:00:00.000Z',
      stateChangedAt: '2026-11-21T09:00:00.000Z',
    });
    expect(agent.prompt).to.equal('Fix the login page, please!');
    expect(agent).not.to.have.any.keys(
      'sessionId',
      'archivedAt',
      'spawnedByAgentId',
      'parentAgentId',
      'idempotencyKey',
    );
    const { effects } = await fixture.host.registry.load(agent.id);
    expect(effects.map(({ kind }) => kind)).to.deep.equal(['provisionWorktree']);
    expect(fixture.host.bells).to.be.greaterThan(bells);
  });

  describe('applies every limit, counted in characters', () => {
    const limits = [
      { field: 'prompt', max: 50_000 },
      { field: 'title', max: 200 },
      { field: 'flags', max: 500 },
      { field: 'idempotencyKey', max: 200 },
      { field: 'dir', max: 4096 },
    ] as const;
    for (const { field, max } of limits) {
      for (const letter of ['x', '😀']) {
        const start = field === 'dir' ? '/' : '';
        const text = (length: number) => start + letter.repeat(length - start.length);
        for (const length of [max - 1, max]) {
          it(`accepts ${length} times ${letter} as ${field}`, async () => {
            if (field === 'dir') fixture.host.directories.set(text(length), true);
            await fixture.create({ [field]: text(length) });
          });
        }

        it(`refuses ${max + 1} times ${letter} as ${field}`, async () => {
          const failure = await failureOf(() => fixture.create({ [field]: text(max + 1) }));
          expect(failure.code).to.equal('invalid_argument');
          expect(failure.message)
            .to.contain(field)
            .and.contain(String(max))
            .and.contain(String(max + 1));
        });
      }
    }

    it('looks up a harness of 39 or 40 characters, and refuses a longer one', async () => {
      for (const length of [39, 40]) {
        const failure = await failureOf(() => fixture.create({ harness: 'a'.repeat(length) }));
        expect(failure.code).to.equal('invalid_argument');
        expect(failure.message).to.contain(
          builtIn
            .all()
            .map(({ name }) => name)
            .join(', '),
        );
      }
      const failure = await failureOf(() => fixture.create({ harness: 'a'.repeat(41) }));
      expect(failure.message).to.contain('41 characters long');
    });
  });

  describe('refuses', () => {
    const cases: { what: string; request: Partial<CreateAgentRequest>; code: FailureCode; says: string }[] = [
      { what: 'no prompt', request: { prompt: '' }, code: 'invalid_argument', says: 'prompt' },
      { what: 'no workflow', request: { workflowId: '' }, code: 'invalid_argument', says: 'workflowId' },
      { what: 'an unknown workflow', request: { workflowId: 'wfl_x' }, code: 'not_found', says: 'wfl_x' },
      { what: 'an unknown harness', request: { harness: 'vim' }, code: 'invalid_argument', says: '"vim"' },
      { what: 'flags with an open quote', request: { flags: "-c 'x" }, code: 'invalid_argument', says: 'not closed' },
      { what: 'flags with a NUL', request: { flags: 'a\0b' }, code: 'invalid_argument', says: 'NUL' },
      { what: 'a harness in capitals', request: { harness: 'Claude' }, code: 'invalid_argument', says: 'harness' },
      { what: 'a harness with a slash', request: { harness: 'a/b' }, code: 'invalid_argument', says: 'harness' },
      { what: 'a relative directory', request: { dir: 'src' }, code: 'invalid_argument', says: 'relative' },
      { what: 'a dotted directory', request: { dir: './src' }, code: 'invalid_argument', says: 'relative' },
      { what: 'a directory that is not there', request: { dir: '/none' }, code: 'invalid_argument', says: '/none' },
      { what: 'an unknown host', request: { host: 'hst_9' }, code: 'not_found', says: 'hst_9' },
      { what: 'an unknown parent', request: { parentAgentId: 'agt_x' }, code: 'not_found', says: 'agt_x' },
      {
        what: 'a worktree where there is no repository',
        request: { dir: '/plain', provisionEnabled: true },
        code: 'failed_precondition',
        says: '/plain',
      },
      {
        what: 'a role that is none',
        request: { role: 'AGENT_ROLE_KING' as AgentRole },
        code: 'invalid_argument',
        says: 'role',
      },
    ];
    for (const { what, request, code, says } of cases) {
      it(`${what} as ${code}, and writes nothing`, async () => {
        const before = await fixture.store.read(({ facts }) => facts.lastSeq());
        const failure = await failureOf(() => fixture.create(request));
        expect([failure.code, failure.message]).to.deep.equal([code, failure.message]);
        expect(failure.message).to.contain(says);
        expect(await fixture.store.read(({ facts }) => facts.lastSeq())).to.equal(before);
      });
    }

    it('a relative directory before it asks the host', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      fixture.host.pause = promise;
      const failure = await failureOf(() => fixture.create({ dir: 'src' }));
      resolve();
      expect(failure.code).to.equal('invalid_argument');
    });
  });

  describe('uses the workflow’s defaults', () => {
    it('directory, flags, harness and context', async () => {
      const { id } = await fixture.workflow({
        cwd: '/elsewhere',
        flags: '--fast',
        harness: 'codex',
        context: 'We use tabs.',
      });
      const agent = await fixture.create({ workflowId: id, prompt: 'Go.' });
      expect(agent).to.deep.include({
        cwd: '/elsewhere',
        flags: '--fast',
        harness: 'codex',
      });
      expect(agent.prompt).to.equal('We use tabs.\n\nGo.');
    });

    it('but no default for a given field', async () => {
      const { id } = await fixture.workflow({ flags: '--fast', role: 'AGENT_ROLE_ORCHESTRATOR' });
      const request = { workflowId: id, dir: '/elsewhere', flags: '--slow', harness: 'codex' } as const;
      const agent = await fixture.create({ ...request, role: 'AGENT_ROLE_IMPLEMENTER' });
      expect(agent).to.deep.include({ cwd: '/elsewhere', flags: '--slow', harness: 'codex' });
      expect(agent.role).to.equal('AGENT_ROLE_IMPLEMENTER');
    });

    it('the role, or implementer if the workflow has none', async () => {
      const { id } = await fixture.workflow({ role: 'AGENT_ROLE_ORCHESTRATOR' });
      expect((await fixture.create({ workflowId: id })).role).to.equal('AGENT_ROLE_ORCHESTRATOR');
      expect((await fixture.create()).role).to.equal('AGENT_ROLE_IMPLEMENTER');
    });

    it('the first coding CLI of the host if neither names a harness', async () => {
      const { id } = await fixture.workflow({ harness: '' });
      expect((await fixture.create({ workflowId: id })).harness).to.equal('claude');
    });
  });

  describe('makes a worktree', () => {
    const cases = [
      { workflow: undefined, request: undefined, dir: '/repo', provision: true },
      { workflow: undefined, request: undefined, dir: '/plain', provision: false },
      { workflow: undefined, request: false, dir: '/repo', provision: false },
      { workflow: undefined, request: true, dir: '/repo', provision: true },
      { workflow: false, request: undefined, dir: '/repo', provision: false },
      { workflow: false, request: true, dir: '/repo', provision: true },
      { workflow: true, request: undefined, dir: '/repo', provision: true },
      { workflow: true, request: false, dir: '/plain', provision: false },
    ];
    for (const { workflow, request, dir, provision } of cases) {
      it(`${provision ? 'in' : 'not in'} ${dir} if the workflow says ${workflow} and the request ${request}`, async () => {
        const { id } = await fixture.workflow({ provisionEnabled: workflow });
        const agent = await fixture.create({ workflowId: id, dir, provisionEnabled: request });
        expect((await launchOf(agent)).provision).to.equal(provision);
      });
    }

    it('unless the workflow wants one and the directory is in no repository', async () => {
      const { id } = await fixture.workflow({ provisionEnabled: true });
      const failure = await failureOf(() => fixture.create({ workflowId: id, dir: '/plain' }));
      expect(failure.code).to.equal('failed_precondition');
    });
  });

  it('resolves a directory that begins with ~ on the host', async () => {
    fixture.host.directories.set('/home/me/work', true);
    expect((await fixture.create({ dir: '~/work' })).cwd).to.equal('/home/me/work');
  });

  it('briefs a reviewer about its role, and runs only a shell’s command', async () => {
    const { id } = await fixture.workflow({ context: 'We use tabs.' });
    const reviewer = await fixture.create({ workflowId: id, prompt: 'Look.', role: 'AGENT_ROLE_REVIEWER' });
    expect(reviewer.prompt).to.match(/^We use tabs\.\n\nYou are a reviewer: .+\n\nLook\.$/s);
    const shell = await fixture.create({ workflowId: id, prompt: 'ls -l', harness: 'shell' });
    expect(shell.prompt).to.equal('ls -l');
  });

  describe('names an agent', () => {
    const names: { what: string; request: Partial<CreateAgentRequest>; name: string }[] = [
      { what: 'by its title', request: { title: 'Mend the fence' }, name: 'Mend the fence' },
      { what: 'without control characters', request: { title: ' a\u0007\u001b[31mb\n\u202ec ' }, name: 'a[31mbc' },
      {
        what: 'by its prompt where nothing of the title can be shown',
        request: { title: '\n', prompt: 'Dig it' },
        name: 'dig-it',
      },
      {
        what: 'by the first words of its prompt',
        request: { prompt: '## Über: das Öl & so, viel mehr!' },
        name: 'über-das-öl-so-viel-mehr',
      },
      {
        what: 'by its prompt where nothing is to be seen of its title',
        request: { title: '\u200b\u061c\u2060', prompt: 'see me' },
        name: 'see-me',
      },
      { what: 'by a title of emoji, whole', request: { title: '👨‍👩‍👧 x' }, name: '👨‍👩‍👧 x' },
      { what: 'by at most 40 characters', request: { prompt: 'w'.repeat(60) }, name: 'w'.repeat(40) },
      { what: 'whole words of them', request: { prompt: `first ${'w'.repeat(38)} last` }, name: 'first' },
    ];
    for (const { what, request, name } of names) {
      it(what, async () => {
        const made = await fixture.create(request);
        expect(made.name).to.equal(name);
        await fixture.call('ArchiveAgent', { agentId: made.id });
      });
    }

    it('agent without words', () => {
      expect(nameFromPrompt('☃ !!!')).to.equal('agent');
    });

    it('uniquely among unarchived agents', async () => {
      const made = [];
      for (let round = 0; round < 3; round += 1) made.push(await fixture.create({ title: 'twin' }));
      expect(made.map(({ name }) => name)).to.deep.equal(['twin', 'twin-2', 'twin-3']);
      await fixture.call('ArchiveAgent', { agentId: made[1]?.id });
      expect((await fixture.create({ title: 'twin' })).name).to.equal('twin-2');
    });

    it('within 200 characters even with a number', async () => {
      const title = 'n'.repeat(200);
      await fixture.create({ title });
      expect((await fixture.create({ title })).name).to.equal(`${'n'.repeat(198)}-2`);
    });
  });

  it('uniquely among concurrent launches', async () => {
    const made = await Promise.all(Array.from({ length: 40 }, () => fixture.create({ title: 'swarm' })));
    expect(new Set(made.map(({ name }) => name)).size).to.equal(40);
    expect(new Set(made.map(({ id }) => id)).size).to.equal(40);
  });

  it('records which agent launched it', async () => {
    const spawner = await fixture.create();
    const agent = await fixture.create({}, { agentId: spawner.id });
    expect(agent.spawnedByAgentId).to.equal(spawner.id);
    expect(agent.parentAgentId).to.equal(undefined);
  });

  it('lets only a person launch an orchestrator', async () => {
    const orchestrator = await fixture.create({ role: 'AGENT_ROLE_ORCHESTRATOR' });
    const { id } = await fixture.workflow({ role: 'AGENT_ROLE_ORCHESTRATOR' });
    for (const request of [{ role: 'AGENT_ROLE_ORCHESTRATOR' as const }, { workflowId: id }]) {
      const failure = await failureOf(() => fixture.create(request, { agentId: orchestrator.id }));
      expect(failure.code).to.equal('permission_denied');
    }
  });

  it('is in the list and kept over a restart', async () => {
    const agent = await fixture.create({ title: 'kept' });
    await fixture.restart();
    const { agent: row } = await fixture.call<{ agent: { agent: Agent } }>('GetAgent', { agentId: agent.id });
    expect(row.agent).to.deep.equal(agent);
    expect((await firstWorkflow(fixture)).id).to.equal(agent.workflowId);
  });
});

describe('create_agent if the host does not answer', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  it('is unavailable, and nothing is written', async () => {
    await fixture.host.fallSilent();
    const failure = await failureOf(() => fixture.create());
    expect(failure.code).to.equal('unavailable');
    expect(failure.message).to.contain('hst_1');
    expect((await fixture.call<{ agents: [] }>('ListAgents')).agents).to.deep.equal([]);
  });
});
