import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import { failureOf } from '#test/support/failure.ts';
import { agentRoles, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('an agent that a person holds', () => {
  let fixture: RegistryFixture;
  let id: string;

  beforeEach(async () => {
    fixture = await registryFixture();
    id = (await fixture.create({ provisionEnabled: false })).id;
  });
  afterEach(() => fixture.close());

  const ask = async (method: string, request: object = {}) =>
    (await fixture.call<{ agent: Agent }>(method, { agentId: id, ...request })).agent;
  const refusal = async (method: string, request: object = {}) => {
    const { code, message } = await failureOf(() => ask(method, request));
    return `${code}: ${message}`;
  };

  it('shows since when, requests the end of the turn, and publishes both; a release clears it', async () => {
    await fixture.host.bringUp(id);
    const now = new Date(fixture.clock.now()).toISOString();
    expect(await ask('HoldAgent')).to.include({ heldAt: now });
    expect((await fixture.host.registry.load(id)).effects.map(({ kind }) => kind)).to.deep.equal(['stopTurn']);
    fixture.clock.pass(1_000);
    expect(await ask('HoldAgent'), 'held again').to.include({ heldAt: now });
    expect(await ask('UnholdAgent')).not.to.have.property('heldAt');
    expect(await ask('UnholdAgent'), 'given back again').not.to.have.property('heldAt');
    const { facts } = await fixture.call<{ facts: { kind: string }[] }>('ListFacts', { subjectId: id });
    const kinds = facts.map(({ kind }) => kind);
    expect(kinds.filter((kind) => /held$/.test(kind))).to.deep.equal(['agent.unheld', 'agent.held']);
  });

  it('is neither typed to, archived, restored nor deleted', async () => {
    await fixture.host.bringUp(id);
    await ask('HoldAgent');
    const asked: [string, object][] = [
      ['PromptAgent', { prompt: 'go on' }],
      ['InterruptAgent', {}],
      ['AnswerAgent', { screenDigest: 'd', keys: ['1'] }],
      ['ArchiveAgent', {}],
      ['RestoreAgent', {}],
      ['DeleteAgent', { force: true }],
    ];
    for (const [method, request] of asked) {
      expect(await refusal(method, request)).to.match(
        new RegExp(
          `^failed_precondition: ${method} is not possible for agent .* a person has held it since .*unhold_agent`,
        ),
      );
    }
    await ask('UnholdAgent');
    expect((await ask('ArchiveAgent')).archivedAt).to.be.a('string');
  });

  it('prevents its parent from being archived and deleted', async () => {
    await fixture.host.bringUp(id);
    const parent = await ask('RenameAgent', { name: 'parent' });
    const workflowId = parent.workflowId ?? '';
    const child = await fixture.create({ parentAgentId: id, workflowId });
    await fixture.host.bringUp(child.id);
    await fixture.call('HoldAgent', { agentId: child.id });
    for (const method of ['ArchiveAgent', 'DeleteAgent']) {
      expect(await refusal(method))
        .to.include(child.id)
        .and.to.match(/^failed_precondition/);
    }
    expect(
      (await fixture.call<{ agent: { agent: Agent } }>('GetAgent', { agentId: id })).agent.agent,
    ).not.to.have.property('archivedAt');
  });

  it('must be set up: before that a hold is refused', async () => {
    expect(await refusal('HoldAgent')).to.match(/^failed_precondition: HoldAgent is not possible .*SETTING_UP/);
  });
});

describe('an agent’s metadata', () => {
  let fixture: RegistryFixture;
  let id: string;

  beforeEach(async () => {
    fixture = await registryFixture();
    id = (await fixture.create({ provisionEnabled: false })).id;
  });
  afterEach(() => fixture.close());

  const record = async (metadata: object[]) =>
    (await fixture.call<{ agent: Agent }>('RecordMetadata', { metadata }, { agentId: id })).agent.metadata;
  const code = async (metadata: object[]) => (await failureOf(() => record(metadata))).code;

  it('is on its row with its time, key by key', async () => {
    const first = new Date(fixture.clock.now()).toISOString();
    await record([{ key: 'ticket', value: 'ABC-1' }]);
    fixture.clock.pass(1_000);
    const second = new Date(fixture.clock.now()).toISOString();
    const recorded = await record([
      { key: 'ticket', value: 'ABC-1' },
      { key: 'pr', value: 'https://example.org/1' },
    ]);
    expect(recorded).to.deep.equal([
      { key: 'ticket', value: 'ABC-1', recordedAt: first },
      { key: 'pr', value: 'https://example.org/1', recordedAt: second },
    ]);
    const { agent } = await fixture.call<{ agent: { agent: Agent } }>('GetAgent', { agentId: id });
    expect(agent.agent.metadata).to.deep.equal(recorded);
    expect(await record([{ key: 'ticket' }])).to.have.length(1);
  });

  it('is limited, and refused as a whole if any part is invalid', async () => {
    expect(await code([{ key: 'has space', value: 'x' }])).to.equal('invalid_argument');
    expect(await code([{ key: '', value: 'x' }])).to.equal('invalid_argument');
    expect(await code([{ key: 'a', value: 'x'.repeat(2_001) }])).to.equal('invalid_argument');
    expect(await code([])).to.equal('invalid_argument');
    const many = Array.from({ length: 50 }, (_, at) => ({ key: `k${at}`, value: 'x' }));
    expect(await record(many)).to.have.length(50);
    expect(await code([{ key: 'one-more', value: 'x' }])).to.equal('invalid_argument');
    expect(await record([{ key: 'k0' }, { key: 'one-more', value: 'x' }])).to.have.length(50);
  });

  it('is written only by the agent itself, in every role', async () => {
    const metadata = [{ key: 'a', value: 'b' }];
    for (const role of agentRoles) {
      const other = await fixture.create({ provisionEnabled: false, role });
      const as = { agentId: other.id };
      expect((await fixture.call<{ agent: Agent }>('RecordMetadata', { metadata }, as)).agent.id).to.equal(other.id);
      const refused = await failureOf(() => fixture.call('RecordMetadata', { agentId: id, metadata }, as));
      expect(refused.code).to.equal('permission_denied');
    }
  });
});
