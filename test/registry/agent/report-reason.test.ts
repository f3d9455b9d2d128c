import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import { longestReport, type reportReason } from '#contract/operations/report.ts';
import { failureOf } from '#test/support/failure.ts';
import { type As, agentRoles, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

type Request = Parameters<(typeof reportReason)['request']['parse']>[0];

describe('a self-report of an agent’s CLI', () => {
  let fixture: RegistryFixture;
  let id: string;

  beforeEach(async () => {
    fixture = await registryFixture();
    id = (await fixture.create({ provisionEnabled: false })).id;
    await fixture.host.bringUp(id);
  });
  afterEach(() => fixture.close());

  const show = async () => (await fixture.call<{ agent: { agent: Agent } }>('GetAgent', { agentId: id })).agent.agent;
  const report = async (request: Request, as: As = { agentId: id }) =>
    (await fixture.call<{ agent: Agent }>('ReportReason', request as object, as)).agent;
  const refused = (request: Request, as?: As) => failureOf(() => report(request, as));
  const version = async () => (await fixture.host.registry.load(id)).version;

  it('is shown next to the state, without a transition', async () => {
    const { state, stateChangedAt } = await show();
    fixture.clock.pass(1_000);
    expect(await report({ reason: 'done' })).to.deep.include({ reportedReason: 'done', state, stateChangedAt });
    expect(await show()).to.deep.include({ reportedReason: 'done', state, stateChangedAt });
    expect(await report({})).to.include({ reportedReason: '' });
  });

  it('is delivered to watches', async () => {
    const { cursor } = await fixture.call<{ cursor: string }>('WatchAgents');
    await report({ reason: 'working' });
    const { agents } = await fixture.call<{ agents: { agent: Agent }[] }>('WatchAgents', { cursor });
    expect(agents.map(({ agent }) => agent.reportedReason)).to.deep.equal(['working']);
  });

  it('is only the agent’s own or a person’s, in every role', async () => {
    for (const role of agentRoles) {
      const other = await fixture.create({ provisionEnabled: false, role });
      const as = { agentId: other.id };
      expect(await report({ reason: role }, as)).to.include({ id: other.id, reportedReason: role });
      expect(await report({ agentId: other.id, reason: 'me' }, as)).to.include({ reportedReason: 'me' });
      expect(await refused({ agentId: id, reason: 'you' }, as)).to.have.property('code', 'permission_denied');
      expect(await refused({ agentId: 'agt_none', reason: 'who' }, as)).to.have.property('code', 'permission_denied');
    }
    expect(await show()).to.include({ reportedReason: '' });
    expect(await report({ agentId: id, reason: 'by hand' }, 'person')).to.include({ reportedReason: 'by hand' });
    expect(await refused({ reason: 'nobody' }, 'person')).to.have.property('code', 'invalid_argument');
    expect(await refused({ agentId: 'agt_none' }, 'person')).to.have.property('code', 'not_found');
  });

  it('has a limit in characters', async () => {
    const longest = '🧪'.repeat(longestReport);
    expect(await report({ reason: longest })).to.include({ reportedReason: longest });
    const failure = await refused({ reason: `${longest}!` });
    expect(failure.code).to.equal('invalid_argument');
    expect(failure.message).to.contain('501 characters');
    expect(await show()).to.include({ reportedReason: longest });
  });

  it('carries the conversation, which cannot be read as a flag', async () => {
    expect(await report({ sessionId: 'ses_1fe60e' })).to.include({ sessionId: 'ses_1fe60e' });
    expect(await report({ reason: 'working' })).to.include({ sessionId: 'ses_1fe60e' });
    for (const sessionId of ['--yolo', '-c', 'a b', 'a\nb', '../x', 'x'.repeat(201)]) {
      expect(await refused({ sessionId })).to.have.property('code', 'invalid_argument');
    }
    expect(await show()).to.include({ sessionId: 'ses_1fe60e' });
  });

  it('carries no conversation of another agent, even an archived or deleted one', async () => {
    const other = await fixture.create({ provisionEnabled: false });
    const { snapshot } = await fixture.host.bringUp(other.id);
    const { id: theirs } = (snapshot.context as { session: { id: string } }).session;
    const attempt = () => refused({ reason: 'mine', sessionId: theirs });
    expect(await attempt()).to.have.property('code', 'permission_denied');
    for (const method of ['ArchiveAgent', 'DeleteAgent']) {
      await fixture.call(method, { agentId: other.id });
      await fixture.host.tell(other.id, { type: 'PANE_CLOSED' });
      expect((await attempt()).message).to.contain('of another agent');
    }
    expect(await show()).to.include({ reportedReason: '' });
    expect(await report({ sessionId: theirs, agentId: id }, 'person')).to.include({ sessionId: theirs });
    const resuming = await fixture.create({ provisionEnabled: false, flags: `--resume ${theirs}` });
    const own = { sessionId: theirs, reason: 'resumed' };
    expect(await report(own, { agentId: resuming.id })).to.include({ sessionId: theirs });
  });

  it('carries none of another agent in another spelling, nor by its place in a list', async () => {
    const theirs = (await show()).sessionId ?? '';
    expect(theirs).to.match(/^[0-9a-f-]{36}$/);
    const other = await fixture.create({ provisionEnabled: false });
    const digits = theirs.replaceAll('-', '');
    for (const said of [theirs.toUpperCase(), digits, digits.toUpperCase(), `urn:uuid:${theirs}`, 'latest', '1']) {
      const { code } = await refused({ sessionId: said, agentId: other.id }, { agentId: other.id });
      expect(code, said).to.equal('permission_denied');
    }
    const own = 'ABCDEF00-0000-4000-8000-000000000001';
    expect(await report({ sessionId: own, agentId: other.id }, { agentId: other.id })).to.include({ sessionId: own });
  });

  it('is ordered by its own time, which is never later than now', async () => {
    const reportedAt = (seconds: number) => new Date(fixture.clock.now() + seconds * 1_000).toISOString();
    await report({ reason: 'done', reportedAt: reportedAt(-1) });
    const late = await report({ reason: 'working', sessionId: 'ses_2', reportedAt: reportedAt(-2) });
    expect(late).to.include({ reportedReason: 'done', sessionId: 'ses_2' });
    await report({ reason: 'from a clock that is ahead', reportedAt: reportedAt(3_600) });
    fixture.clock.pass(1_000);
    expect(await report({ reason: 'working', reportedAt: reportedAt(0) })).to.include({ reportedReason: 'working' });
  });

  it('writes nothing without news', async () => {
    await report({ reason: 'working', sessionId: 'ses_1' });
    const before = await version();
    fixture.clock.pass(1_000);
    await report({ reason: 'working', sessionId: 'ses_1' });
    expect(await version()).to.equal(before);
  });

  it('is refused after the agent’s token ended', async () => {
    await fixture.call('ArchiveAgent', { agentId: id });
    await fixture.host.tell(id, { type: 'PANE_CLOSED' });
    expect(await refused({ reason: 'still here' })).to.have.property('code', 'unauthenticated');
  });
});
