import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { RunLog } from '#contract/run-log.ts';
import { failureOf } from '#test/support/failure.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('runs of workflows’ scripts', () => {
  let fixture: RegistryFixture;
  let agentId: string;

  beforeEach(async () => {
    fixture = await registryFixture();
    agentId = (await fixture.create({ provisionEnabled: false })).id;
  });
  afterEach(() => fixture.close());

  const script = 'RUN_SCRIPT_ON_IDLE' as const;
  const tell = (effect: string, note: object = {}) =>
    fixture.host.registry.run({ agentId, epoch: 1, effect: ofAgent(effect), script, ...note });
  const ofAgent = (effect: string) => (effect.startsWith(agentId) ? effect : `${agentId}/${effect}`);
  /** Begins a run; gives its id. */
  const begin = async (effect: string, note: object = {}) => {
    await tell(effect, note);
    return (await list()).runs?.[0]?.id as number;
  };
  const ended = (reason: string, text = 'all of it') => ({
    output: { output: text, cut: false },
    end: { failed: reason !== '', reason },
  });
  const list = (request: object = {}) =>
    fixture.call<{ runs?: RunLog[]; nextPageToken?: string }>('ListRunLogs', request);
  const get = async (id: number) => (await fixture.call<{ run: RunLog }>('GetRunLog', { id })).run;
  const row = async () => (await fixture.call<{ agent: { agent: Agent } }>('GetAgent', { agentId })).agent.agent;

  it('can be read while they run, and after', async () => {
    const id = await begin('a');
    expect(await get(id)).to.include({ id, agentId, script, state: 'RUN_STATE_RUNNING' });
    await tell('a', { output: { output: 'first lines', cut: false } });
    expect(await get(id)).to.include({ output: 'first lines', state: 'RUN_STATE_RUNNING' });
    fixture.clock.pass(1_000);
    await tell('a', ended(''));
    const run = await get(id);
    expect(run).to.include({ output: 'all of it', state: 'RUN_STATE_SUCCEEDED' });
    expect(run.endedAt).to.equal(new Date(fixture.clock.now()).toISOString());
    expect(await row())
      .to.include({ failedRun: false })
      .and.not.to.have.property('failedRunLog');
  });

  it('are the same run after a crash restarted them', async () => {
    const id = await begin('a');
    await tell('a', ended('ended with 1', 'half'));
    await tell('a');
    expect((await list()).runs).to.have.length(1);
    const run = await get(id);
    expect(run).to.include({ state: 'RUN_STATE_RUNNING', output: '', reason: '' });
    expect(run).not.to.have.property('endedAt');
  });

  it('show a failure on the row until it is acknowledged, and then an older one', async () => {
    const first = await begin('a');
    await tell('a', ended('ended with 1'));
    const second = await begin('b');
    await tell('b', ended('took too long and was ended'));
    expect(await row()).to.include({ failedRun: true, failedRunLog: second });
    const { facts } = await fixture.call<{ facts: { kind: string; detail: string }[] }>('ListFacts', {
      subjectId: agentId,
    });
    const told = facts.filter(({ kind }) => kind === 'agent.run-failed').map(({ detail }) => detail);
    expect(told[0]).to.include('the onIdle script took too long');
    expect((await list({ failed: true })).runs?.map(({ id }) => id)).to.deep.equal([second, first]);
    const { run } = await fixture.call<{ run: RunLog }>('AcknowledgeRun', { id: second });
    expect(run.acknowledgedAt).to.be.a('string');
    expect(await row()).to.include({ failedRun: true, failedRunLog: first });
    await fixture.call('AcknowledgeRun', { id: first });
    await fixture.call('AcknowledgeRun', { id: first });
    expect(await row())
      .to.include({ failedRun: false })
      .and.not.to.have.property('failedRunLog');
    expect((await list({ failed: true })).runs ?? []).to.deep.equal([]);
  });

  it('clear an earlier failure of a step that a retry completed, and no other', async () => {
    const setup = { script: 'RUN_SCRIPT_SETUP' as const };
    const first = await begin('s', setup);
    await tell('s', { ...setup, ...ended('ended with 1') });
    const atRest = await begin('a');
    await tell('a', ended('ended with 2'));
    await begin('b');
    await tell('b', ended(''));
    await begin('t', setup);
    await tell('t', { ...setup, ...ended('') });
    expect((await get(first)).acknowledgedAt).to.be.a('string');
    expect(await row()).to.include({ failedRun: true, failedRunLog: atRest });
  });

  it('are reported once for repeated ends, and ignore pruned ones', async () => {
    await begin('a');
    await tell('a', ended('ended with 1'));
    await tell('a', ended('ended with 1'));
    await tell('never begun', ended('ended with 1'));
    const { facts } = await fixture.call<{ facts: { kind: string }[] }>('ListFacts', { subjectId: agentId });
    expect(facts.filter(({ kind }) => kind === 'agent.run-failed')).to.have.length(1);
    expect((await list()).runs).to.have.length(1);
  });

  it('are cancelled with their effect', async () => {
    await fixture.host.bringUp(agentId);
    const id = await begin(`${agentId}/9/0`);
    await fixture.store.write(({ runs }) => runs.cancel(agentId, [`${agentId}/9/0`]));
    expect(await get(id)).to.include({ state: 'RUN_STATE_CALLED_OFF' });
  });

  it('are listed newest first, page after page, with the end of their output', async () => {
    const long = `${'x'.repeat(5_000)}the end`;
    for (const effect of ['a', 'b', 'c']) {
      await tell(effect);
      await tell(effect, ended('', long));
    }
    const { runs = [], nextPageToken } = await list({ agentId, pagination: { pageSize: 2 } });
    expect(runs.map(({ id }) => id)).to.deep.equal([3, 2]);
    expect(runs[0]?.output).to.match(/^x{1993}the end$/);
    expect(runs[0]?.outputTruncated).to.equal(true);
    const rest = await list({ agentId, pagination: { pageSize: 2, cursor: nextPageToken } });
    expect(rest.runs?.map(({ id }) => id)).to.deep.equal([1]);
    expect(rest).not.to.have.property('nextPageToken');
    const other = await failureOf(() => list({ pagination: { cursor: nextPageToken } }));
    expect(other.code).to.equal('invalid_argument');
    expect(await get(1)).to.include({ output: long, outputTruncated: false });
  });

  it('keep an agent’s last hundred', async () => {
    for (let at = 0; at < 103; at += 1) await tell(`e${at}`);
    const { runs = [] } = await list({ pagination: { pageSize: 200 } });
    expect(runs).to.have.length(100);
    expect(runs.at(-1)?.id).to.equal(4);
  });

  it('refuse unknown ones, acknowledging a success, and an old epoch', async () => {
    const id = await begin('a');
    const codeOf = async (method: string, request: object) =>
      (await failureOf(() => fixture.call(method, request))).code;
    expect(await codeOf('GetRunLog', { id: 999 })).to.equal('not_found');
    expect(await codeOf('GetRunLog', {})).to.equal('invalid_argument');
    expect(await codeOf('AcknowledgeRun', { id })).to.equal('failed_precondition');
    expect(await codeOf('ListRunLogs', { agentId: 'agt_none' })).to.equal('not_found');
    const old = await failureOf(() => fixture.host.registry.run({ agentId, epoch: 0, effect: ofAgent('a'), script }));
    expect(old.code).to.equal('failed_precondition');
  });
});
