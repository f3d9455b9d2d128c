import { expect } from 'chai';
import { failureOf, refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type As, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

const requests = {
  PromptAgent: { prompt: 'Go on with the tests' },
  InterruptAgent: {},
  AnswerAgent: { screenDigest: 'abc', keys: ['Down', 'Enter'] },
} as const;
type Method = keyof typeof requests;

describe('steering an agent', () => {
  let fixture: RegistryFixture;

  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(() => fixture.close());

  const steer = (method: Method, agentId: string, as: As = 'person', more: object = {}) =>
    fixture.call<{ agent: { id: string } }>(method, { agentId, ...requests[method], ...more }, as);
  const refusal = (...given: Parameters<typeof steer>) => failureOf(() => steer(...given));

  async function living(...given: Parameters<RegistryFixture['create']>): Promise<string> {
    const { id } = await fixture.create(...given);
    await fixture.host.bringUp(id);
    return id;
  }

  it('types through the host, logs the caller, and returns the current agent', async () => {
    const id = await living();
    expect((await steer('PromptAgent', id)).agent.id).to.equal(id);
    await steer('InterruptAgent', id);
    await steer('AnswerAgent', id);
    expect(fixture.host.typed).to.deep.equal([
      ['prompt', { agentId: id, text: 'Go on with the tests' }],
      ['interrupt', { agentId: id }],
      ['answer', { agentId: id, screenDigest: 'abc', keys: ['Down', 'Enter'], text: '' }],
    ]);
    const { facts } = await fixture.call<{ facts: { kind: string; detail: string }[] }>('ListFacts', { subjectId: id });
    expect(facts.slice(0, 3).map(({ kind, detail }) => [kind, JSON.parse(detail)])).to.deep.equal([
      ['agent.answered', { by: 'person', keys: ['Down', 'Enter'] }],
      ['agent.interrupted', { by: 'person' }],
      ['agent.prompted', { by: 'person', characters: 20 }],
    ]);
  });

  it('is allowed for a parent on its own child, and for an orchestrator on any agent', async () => {
    const parent = await living({ role: 'AGENT_ROLE_IMPLEMENTER', provisionEnabled: false });
    const child = await living({ parentAgentId: parent });
    const orchestrator = await living({ role: 'AGENT_ROLE_ORCHESTRATOR', provisionEnabled: false });
    const notNats = await living({ role: 'AGENT_ROLE_REVIEWER', provisionEnabled: false });
    for (const method of ['PromptAgent', 'InterruptAgent'] as const) {
      await steer(method, child, { agentId: parent });
      await steer(method, child, { agentId: orchestrator });
      await steer(method, parent, { agentId: orchestrator });
      expect((await refusal(method, parent, { agentId: child })).code).to.equal('permission_denied');
      expect((await refusal(method, child, { agentId: notNats })).code).to.equal('permission_denied');
      expect((await refusal(method, notNats, { agentId: notNats })).code).to.equal('permission_denied');
    }
    expect((await refusal('AnswerAgent', child, { agentId: parent })).code).to.equal('permission_denied');
    expect((await refusal('AnswerAgent', child, { agentId: orchestrator })).code).to.equal('permission_denied');
    expect(fixture.host.typed).to.have.length(6);
  });

  it('is decided again on the current agent right before the host types', async () => {
    const ways = { HoldAgent: 'a person has held it', ArchiveAgent: '(archiving)', DeleteAgent: '(cleaningUp.' };
    for (const [method, why] of Object.entries(ways)) {
      const id = await living();
      const held = Promise.withResolvers<void>();
      fixture.host.beforePermit = held.promise;
      const refused = refusal('PromptAgent', id);
      await fixture.call(method, { agentId: id });
      held.resolve();
      const { code, message } = await refused;
      expect({ code, message: message.includes(why) }, message).to.deep.equal({
        code: 'failed_precondition',
        message: true,
      });
    }
    expect(fixture.host.typed).to.deep.equal([]);
  });

  it('is refused at once for a lost host, without a request to it', async () => {
    const id = await living();
    fixture.clock.pass(31_000);
    // Until the registry has marked it lost, the host itself is refused what it needs to type.
    const refused = await moment('the host is lost', async () => {
      const failure = await refusal('PromptAgent', id).catch(() => undefined);
      return failure?.message.includes('has been silent since') ? failure : undefined;
    });
    expect(refused.reason).to.equal('HOST_LOST');
    expect(refused.code).to.equal('unavailable');
    expect(refused.message).to.match(/^Host hst_1\.example \(hst_1\) has been silent since 2026-11-21T09:00:00\.000Z/);
    fixture.host.typed.length = 0;
    for (const method of ['PromptAgent', 'InterruptAgent', 'AnswerAgent'] as const) {
      expect((await refusal(method, id)).reason).to.equal('HOST_LOST');
    }
    expect((await failureOf(() => fixture.call('ReadPane', { agentId: id }))).reason).to.equal('HOST_LOST');
    expect(fixture.host.typed).to.deep.equal([]);
  });

  it('passes on the host’s refusal, and logs nothing', async () => {
    const id = await living();
    fixture.host.refusal = refusalWith('failed_precondition', 'Nothing was typed: it waits for a person');
    expect(await refusal('PromptAgent', id)).to.deep.include({
      code: 'failed_precondition',
      message: 'Nothing was typed: it waits for a person',
    });
    const { facts } = await fixture.call<{ facts: { kind: string }[] }>('ListFacts', { subjectId: id });
    expect(facts.map(({ kind }) => kind)).not.to.include('agent.prompted');
  });

  it('is refused if the agent is not running or unknown, or its host is offline', async () => {
    const { id } = await fixture.create();
    expect(await refusal('PromptAgent', id)).to.have.property('code', 'failed_precondition');
    expect((await refusal('PromptAgent', id)).message).to.include('is being set up');
    expect(await refusal('PromptAgent', 'agt_none')).to.have.property('code', 'not_found');
    await fixture.host.bringUp(id);
    await fixture.host.fallSilent();
    expect(await refusal('InterruptAgent', id)).to.have.property('code', 'unavailable');
  });

  it('answers a question before the briefing, and refuses prompts and interrupts then', async () => {
    const { id } = await fixture.create({ provisionEnabled: false });
    await fixture.host.tell(id, { type: 'WINDOW_OPENED', paneId: '%1' });
    expect(await refusal('AnswerAgent', id)).to.have.property('code', 'failed_precondition');
    await fixture.host.tell(id, {
      type: 'READING',
      reading: { state: 'AGENT_STATE_WAITING', reason: 'trust' },
      sighting: undefined,
    });
    await steer('AnswerAgent', id);
    expect(fixture.host.typed).to.deep.equal([['answer', { agentId: id, ...requests.AnswerAgent, text: '' }]]);
    for (const method of ['PromptAgent', 'InterruptAgent'] as const) {
      expect((await refusal(method, id)).message).to.include('settingUp.briefing.asked');
    }
  });

  it('is refused with an empty or long prompt, and with no, too many or unknown keys', async () => {
    const id = await living();
    const wrong: [Method, object][] = [
      ['PromptAgent', { prompt: '' }],
      ['PromptAgent', { prompt: '👩'.repeat(50_001) }],
      ['AnswerAgent', { keys: [] }],
      ['AnswerAgent', { keys: Array.from({ length: 21 }, () => 'Down') }],
      ['AnswerAgent', { keys: ['F1'] }],
      ['AnswerAgent', { screenDigest: '' }],
    ];
    for (const [method, more] of wrong) {
      expect(await refusal(method, id, 'person', more), JSON.stringify(more)).to.have.property(
        'code',
        'invalid_argument',
      );
    }
    await steer('PromptAgent', id, 'person', { prompt: '👩'.repeat(50_000) });
    expect(fixture.host.typed).to.have.length(1);
  });
});
