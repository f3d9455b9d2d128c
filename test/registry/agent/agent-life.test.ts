import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { failureOf } from '#test/support/failure.ts';
import { type As, type Made, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('the operations on an agent', () => {
  let fixture: RegistryFixture;

  before(async () => {
    fixture = await registryFixture({ ceiling: 1000 });
  });
  after(() => fixture.close());

  const ask = async (method: string, agentId: string, more: object = {}, as: As = 'person') =>
    (await fixture.call<{ agent: Made<Agent> }>(method, { agentId, ...more }, as)).agent;
  const refusal = (method: string, agentId: string, more: object = {}, as: As = 'person') =>
    failureOf(() => ask(method, agentId, more, as));
  const show = async (agentId: string) =>
    (await fixture.call<{ agent: AgentRow & { agent: Made<Agent> } }>('GetAgent', { agentId })).agent.agent;

  /** An agent in a state, by the shortest way there. */
  const reach = {
    SETTING_UP: async () => (await fixture.create({ provisionEnabled: false })).id,
    async FAILED_TO_CREATE() {
      const id = await this.SETTING_UP();
      await fixture.host.tell(id, { type: 'STEP_FAILED', step: 'opening', reason: 'no tmux' });
      return id;
    },
    async THINKING() {
      const id = await this.SETTING_UP();
      await fixture.host.bringUp(id);
      return id;
    },
    async dormant() {
      const id = await this.THINKING();
      await fixture.host.tell(id, { type: 'PANE_GONE', reason: 'exited', briefed: false });
      return id;
    },
    async archiving() {
      const id = await this.THINKING();
      await ask('ArchiveAgent', id);
      return id;
    },
    async archived() {
      const id = await this.archiving();
      await fixture.host.tell(id, { type: 'PANE_CLOSED' });
      return id;
    },
    async deleting() {
      const id = await this.THINKING();
      await ask('DeleteAgent', id);
      return id;
    },
    async FAILED_TO_CLEANUP() {
      const id = await this.deleting();
      await fixture.host.tell(id, { type: 'STEP_FAILED', step: 'closing', reason: 'tmux hangs' });
      return id;
    },
    async gone() {
      const id = await this.deleting();
      await fixture.host.tell(id, { type: 'PANE_CLOSED' });
      return id;
    },
  };
  type Where = keyof typeof reach;

  const ok = 'ok';
  const no = 'failed_precondition';
  const table: Record<Where, Record<'Retry' | 'Archive' | 'Restore' | 'Delete' | 'Rename' | 'Mark', string>> = {
    SETTING_UP: { Retry: no, Archive: ok, Restore: no, Delete: ok, Rename: ok, Mark: ok },
    FAILED_TO_CREATE: { Retry: ok, Archive: ok, Restore: no, Delete: ok, Rename: ok, Mark: ok },
    THINKING: { Retry: no, Archive: ok, Restore: no, Delete: ok, Rename: ok, Mark: ok },
    dormant: { Retry: no, Archive: ok, Restore: ok, Delete: ok, Rename: ok, Mark: ok },
    archiving: { Retry: no, Archive: ok, Restore: ok, Delete: ok, Rename: ok, Mark: ok },
    archived: { Retry: no, Archive: ok, Restore: ok, Delete: ok, Rename: ok, Mark: ok },
    deleting: { Retry: no, Archive: no, Restore: no, Delete: ok, Rename: no, Mark: ok },
    FAILED_TO_CLEANUP: { Retry: ok, Archive: ok, Restore: ok, Delete: ok, Rename: ok, Mark: ok },
    gone: {
      Retry: 'not_found',
      Archive: 'not_found',
      Restore: 'not_found',
      Delete: 'not_found',
      Rename: 'not_found',
      Mark: 'not_found',
    },
  };
  const extra = (verb: string, id: string) => ({ Rename: { name: `new ${id}` }, Mark: { mark: 'a' } })[verb] ?? {};

  for (const [where, outcomes] of Object.entries(table) as [Where, (typeof table)[Where]][]) {
    it(`follow the table if the agent is ${where}`, async () => {
      for (const [verb, expected] of Object.entries(outcomes)) {
        const id = await reach[where]();
        const method = `${verb}Agent`;
        const got = await ask(method, id, extra(verb, id)).then(
          () => ok,
          (error: { code: string; message: string }) => {
            if (error.code === no) expect(error.message).to.contain(method).and.contain('AGENT_STATE_');
            return error.code;
          },
        );
        expect(`${verb} ${got}`).to.equal(`${verb} ${expected}`);
      }
    });
  }

  it('return not_found for an unknown agent', async () => {
    const methods = ['Retry', 'Archive', 'Restore', 'Delete', 'Rename', 'Mark', 'Attach'].map((verb) => `${verb}Agent`);
    for (const method of [...methods, 'IssueAgentToken']) {
      expect(await refusal(method, 'agt_9', { name: 'x' })).to.have.property('code', 'not_found');
    }
  });

  it('report whether a failed launch’s CLI ran, wherever its window is requested', async () => {
    const ran = await reach.SETTING_UP();
    await fixture.host.tell(ran, { type: 'WINDOW_OPENED', paneId: '%1' });
    await fixture.host.tell(ran, { type: 'PANE_GONE', reason: 'the CLI exited with status 3', briefed: false });
    for (const [agentId, why] of [
      [ran, 'CLI ended before it accepted its briefing'],
      [await reach.FAILED_TO_CREATE(), 'launch failed'],
    ] as const) {
      const said = `has no window: its ${why}; retry_agent launches it again`;
      expect((await failureOf(() => fixture.call('ReadPane', { agentId }))).message).to.include(said);
      const { sourceReason } = await fixture.call<{ sourceReason?: string }>('ExplainAgent', { agentId });
      expect(sourceReason).to.equal(`It ${said}`);
    }
  });

  describe('retry_agent', () => {
    it('continues from the completed steps, and sends the host a hint', async () => {
      const id = await reach.FAILED_TO_CREATE();
      expect(await show(id)).to.deep.include({
        state: 'AGENT_STATE_FAILED_TO_CREATE',
        stateReason: 'opening: no tmux',
      });
      const bells = fixture.host.bells;
      expect(await ask('RetryAgent', id)).to.deep.include({ state: 'AGENT_STATE_SETTING_UP', stateReason: '' });
      const { effects } = await fixture.host.registry.load(id);
      expect(effects.map(({ kind }) => kind)).to.deep.equal(['openWindow']);
      expect(fixture.host.bells).to.be.greaterThan(bells);
    });

    it('lets an orchestrator retry any launch and its own agents’ archiving, and no deletion', async () => {
      const as = { agentId: (await fixture.create({ role: 'AGENT_ROLE_ORCHESTRATOR' })).id };
      const failing = async (verb: 'Archive' | 'Delete', by: As) => {
        const { id } = await fixture.create({ provisionEnabled: false }, by);
        await fixture.host.bringUp(id);
        await ask(`${verb}Agent`, id);
        await fixture.host.tell(id, { type: 'STEP_FAILED', step: 'closing', reason: 'tmux hangs' });
        return id;
      };
      expect(await ask('RetryAgent', await reach.FAILED_TO_CREATE(), {}, as)).to.have.property('state');
      expect(await ask('RetryAgent', await failing('Archive', as), {}, as)).to.have.property('archivedAt');
      for (const id of [await failing('Archive', 'person'), await failing('Delete', as)]) {
        const { code, message } = await refusal('RetryAgent', id, {}, as);
        expect(code).to.equal('permission_denied');
        expect(message).to.contain(id);
        expect(await ask('RetryAgent', id)).to.deep.include({ state: 'AGENT_STATE_UNCERTAIN' });
      }
    });
  });

  describe('archive_agent', () => {
    it('archives the children too, and changes nothing when repeated', async () => {
      const parent = await reach.THINKING();
      const children = [
        await fixture.create({ parentAgentId: parent }),
        await fixture.create({ parentAgentId: parent }),
      ];
      const archived = await ask('ArchiveAgent', parent);
      expect(archived.archivedAt).to.equal(new Date(fixture.clock.now()).toISOString());
      for (const { id } of children) expect((await show(id)).archivedAt).to.be.a('string');
      fixture.clock.pass(1000);
      const { version } = await fixture.host.registry.load(parent);
      expect(await ask('ArchiveAgent', parent)).to.deep.equal(archived);
      expect((await fixture.host.registry.load(parent)).version).to.equal(version);
    });

    it('lets an orchestrator archive only agents that it launched', async () => {
      const orchestrator = await fixture.create({ role: 'AGENT_ROLE_ORCHESTRATOR' });
      const as = { agentId: orchestrator.id };
      const own = await fixture.create({ provisionEnabled: false }, as);
      const other = await reach.THINKING();
      for (const id of [other, orchestrator.id]) {
        expect(await refusal('ArchiveAgent', id, {}, as)).to.have.property('code', 'permission_denied');
      }
      expect((await ask('ArchiveAgent', own.id, {}, as)).archivedAt).to.be.a('string');
    });
  });

  describe('restore_agent', () => {
    it('restores a child only if its parent is restored', async () => {
      const parent = await reach.THINKING();
      const child = (await fixture.create({ parentAgentId: parent })).id;
      await ask('ArchiveAgent', parent);
      for (const id of [parent, child]) await fixture.host.tell(id, { type: 'PANE_CLOSED' });
      const failure = await refusal('RestoreAgent', child);
      expect(failure.code).to.equal('failed_precondition');
      expect(failure.message).to.contain(parent);
      await ask('RestoreAgent', parent);
      expect(await show(child)).to.have.property('archivedAt');
      expect(await ask('RestoreAgent', child)).not.to.have.property('archivedAt');
    });

    it('resumes the conversation in a new window', async () => {
      const id = await reach.dormant();
      const { sessionId } = await show(id);
      expect(sessionId).to.match(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
      expect(await ask('RestoreAgent', id)).to.deep.include({ state: 'AGENT_STATE_SETTING_UP', sessionId });
      const { effects } = await fixture.host.registry.load(id);
      expect(effects).to.deep.include.members([{ ...effects[0], kind: 'openWindow', params: { resume: true } }]);
    });

    it('adds a number to a name that was taken meanwhile', async () => {
      const one = await fixture.create({ title: 'twin', provisionEnabled: false });
      await ask('ArchiveAgent', one.id);
      await fixture.host.tell(one.id, { type: 'PANE_CLOSED' });
      await fixture.create({ title: 'twin' });
      expect((await ask('RestoreAgent', one.id)).name).to.equal('twin-2');
      expect((await fixture.host.registry.load(one.id)).launch.name).to.equal('twin-2');
    });
  });

  describe('delete_agent', () => {
    it('deletes the children too, and follows the request’s options', async () => {
      const parent = await reach.THINKING();
      const child = (await fixture.create({ parentAgentId: parent })).id;
      await ask('DeleteAgent', parent);
      const versions = async () =>
        Promise.all([parent, child].map(async (id) => (await fixture.host.registry.load(id)).version));
      const before = await versions();
      await ask('DeleteAgent', parent, { force: true });
      expect(await versions()).to.deep.equal(before);
      for (const id of [child, parent]) await fixture.host.tell(id, { type: 'PANE_CLOSED' });
      for (const id of [child, parent]) expect(await refusal('GetAgent', id)).to.have.property('code', 'not_found');
    });

    it('keeps an agent, its children and its token if work would be lost', async () => {
      const { id: parent } = await fixture.create();
      await fixture.host.bringUp(parent);
      const child = (await fixture.create({ parentAgentId: parent })).id;
      await fixture.host.bringUp(child);
      const { state, stateReason, alive, paneId, stateChangedAt } = await show(parent);
      const before = { state, stateReason, alive, paneId, stateChangedAt };
      expect(await ask('DeleteAgent', parent)).to.deep.include({ state, deleting: true });
      await fixture.host.tell(parent, { type: 'STEP_FAILED', step: 'inspecting', reason: '1 untracked file' });
      expect(await show(parent)).to.deep.include({ ...before, refusedDeletion: '1 untracked file' });
      expect(await show(child)).to.deep.include({ alive: true });
      expect((await fixture.host.registry.load(parent)).effects).to.deep.equal([]);
      expect(await ask('DeleteAgent', parent, { force: true })).not.to.have.property('refusedDeletion');
    });

    it('removes a worktree only with force if work would be lost', async () => {
      const { id } = await fixture.create();
      await fixture.host.bringUp(id);
      const removal = async (force: boolean) => {
        await ask('DeleteAgent', id, { force });
        if (!force) await fixture.host.tell(id, { type: 'WORKTREE_INSPECTED' });
        await fixture.host.tell(id, { type: 'PANE_CLOSED' });
        return (await fixture.host.registry.load(id)).effects.map(({ kind, params }) => [kind, params]);
      };
      expect(await removal(false)).to.deep.equal([['removeWorktree', { force: false }]]);
      await fixture.host.tell(id, { type: 'STEP_FAILED', step: 'removing', reason: '2 files are not committed' });
      expect(await show(id)).to.deep.include({
        state: 'AGENT_STATE_FAILED_TO_CLEANUP',
        stateReason: 'removing: 2 files are not committed',
      });
      expect(await removal(true)).to.deep.equal([['removeWorktree', { force: true }]]);
    });
  });

  describe('rename_agent', () => {
    it('renames the row, the record and the window', async () => {
      const id = await reach.THINKING();
      expect((await ask('RenameAgent', id, { name: ' new\u0007 name ' })).name).to.equal('new name');
      const { launch, effects } = await fixture.host.registry.load(id);
      expect(launch.name).to.equal('new name');
      expect(effects.map(({ kind }) => kind)).to.deep.equal(['renameWindow']);
    });

    it('refuses another agent’s name, and accepts its own and an archived one', async () => {
      const taken = await fixture.create({ title: 'taken', provisionEnabled: false });
      const id = await reach.THINKING();
      const failure = await refusal('RenameAgent', id, { name: 'taken' });
      expect(failure.code).to.equal('already_exists');
      expect(failure.message).to.contain(taken.id);
      expect((await ask('RenameAgent', taken.id, { name: 'taken' })).name).to.equal('taken');
      await ask('ArchiveAgent', taken.id);
      expect((await ask('RenameAgent', id, { name: 'taken' })).name).to.equal('taken');
    });

    for (const name of ['', '\u0007', 'n'.repeat(201), '😀'.repeat(201)]) {
      it(`refuses ${JSON.stringify(name.slice(0, 8))} of ${[...name].length} characters`, async () => {
        const id = await reach.THINKING();
        expect(await refusal('RenameAgent', id, { name })).to.have.property('code', 'invalid_argument');
      });
    }

    it('accepts 200 characters', async () => {
      const id = await reach.THINKING();
      expect((await ask('RenameAgent', id, { name: '😀'.repeat(200) })).name).to.equal('😀'.repeat(200));
    });
  });

  describe('mark_agent', () => {
    const marksOf = (ids: string[]) =>
      Promise.all(
        ids.map(async (agentId) => (await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId })).agent.mark),
      );

    it('moves a letter to another agent, and removes it', async () => {
      const [one, two] = [await reach.SETTING_UP(), await reach.SETTING_UP()];
      await ask('MarkAgent', one, { mark: 'k' });
      await ask('MarkAgent', two, { mark: 'k' });
      expect(await marksOf([one, two])).to.deep.equal([undefined, 'k']);
      await ask('MarkAgent', two, { mark: '' });
      expect(await marksOf([one, two])).to.deep.equal([undefined, undefined]);
    });

    for (const mark of ['K', '1', 'ab', 'ä', ' ', '-']) {
      it(`refuses ${JSON.stringify(mark)}`, async () => {
        const id = await reach.SETTING_UP();
        expect(await refusal('MarkAgent', id, { mark })).to.have.property('code', 'invalid_argument');
      });
    }
  });

  describe('attach_agent', () => {
    it("returns the window that the agent's host reports", async () => {
      const id = await reach.THINKING();
      expect(await fixture.call('AttachAgent', { agentId: id })).to.deep.equal({
        family: id,
        windowId: '@7',
        hostId: 'hst_1',
        hostName: 'hst_1.example',
      });
    });

    it('is refused without a window', async () => {
      expect(await refusal('AttachAgent', await reach.dormant())).to.have.property('code', 'failed_precondition');
    });

    it('is unavailable if the host is silent', async () => {
      const id = await reach.THINKING();
      await fixture.host.fallSilent();
      expect(await refusal('AttachAgent', id)).to.have.property('code', 'unavailable');
    });
  });
});
