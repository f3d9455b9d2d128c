import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { typescriptReasons } from '#gateway/proto/typescript-reasons.ts';
import { type Instance, startInstance } from '#test/channels/instance.ts';
import { moment } from '#test/support/moment.ts';
import { Relay } from '#test/support/relay.ts';
import { createMuster, type Muster } from '../../clients/typescript/src/muster.ts';
import { MusterError } from '../../clients/typescript/src/muster-error.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const client = join(root, 'clients', 'typescript');

describe('the TypeScript client', () => {
  let instance: Instance;
  let relay: Relay;
  let muster: Muster;
  const lost: (MusterError | undefined)[] = [];
  before(async () => {
    relay = await Relay.open(() => instance.port);
    instance = await startInstance({ baseUrl: `http://127.0.0.1:${relay.port}` });
    muster = createMuster({
      url: `http://127.0.0.1:${relay.port}/`,
      token: instance.fixture.operatorToken,
      onLost: (why) => lost.push(why),
    });
  });
  after(async () => {
    await relay?.close();
    await instance?.close();
  });

  it('lists the reasons of this contract', () => {
    const written = readFileSync(join(client, 'src', 'reason.ts'), 'utf8');
    expect(written, 'run npm run proto').to.equal(typescriptReasons());
  });

  it('calls operations with the caller’s token', async () => {
    const { id } = await instance.fixture.create({ provisionEnabled: false });
    const { agent } = await muster.agents.getAgent({ agentId: id });
    expect(agent?.agent?.id).to.equal(id);
    const stranger = createMuster({ url: instance.url, token: 'wrong' });
    expect(await refusal(stranger.agents.listAgents({}))).to.deep.include({ code: 'unauthenticated', mayRetry: false });
  });

  it('throws refusals with their reason, fields and metadata', async () => {
    const unknown = await refusal(muster.agents.getAgent({ agentId: 'agt_none' }));
    expect(unknown).to.deep.include({ reason: 'AGENT_NOT_FOUND', code: 'not_found' });
    expect(unknown.isFor('AGENT_NOT_FOUND')).to.equal(true);
    const invalid = await refusal(muster.agents.markAgent({ agentId: '', mark: 'long' }));
    expect(invalid).to.deep.include({ reason: 'INVALID_FIELD', field: invalid.violations[0]?.field });
    expect(invalid.violations.map(({ field }) => field)).to.include('mark');
    const stranger = createMuster({ url: instance.url, token: 'wrong' });
    const unknownCaller = await refusal(stranger.agents.watchAgents({})[Symbol.asyncIterator]().next());
    expect(unknownCaller).to.deep.include({ code: 'unauthenticated', isUnanswered: false });
    const taken = await refusal(muster.facts.watchFacts({ cursor: 'not a cursor' })[Symbol.asyncIterator]().next());
    expect(taken.reason).to.equal('INVALID_CURSOR');
  });

  it('says that nobody answered where nothing listens, on calls and on watches', async () => {
    const nobody = createMuster({ url: 'http://127.0.0.1:9', token: 'any' });
    const failed = await refusal(nobody.agents.listAgents({}));
    expect(failed).to.deep.include({ reason: '', isUnanswered: true, mayRetry: true });
    await refusal(nobody.agents.watchAgents({})[Symbol.asyncIterator]().next());
  });

  it('resumes a watch from its cursor after a cut, and ends it by its signal', async () => {
    const stop = new AbortController();
    const names: string[] = [];
    const watched = (async () => {
      for await (const { agents } of muster.agents.watchAgents({}, { signal: stop.signal }))
        names.push(...agents.map(({ agent }) => agent?.name ?? ''));
    })();
    const first = await instance.fixture.create({ provisionEnabled: false, title: 'first' });
    await moment('the first agent', () => names.includes('first'));
    const before = names.length;
    relay.cut();
    await instance.fixture.create({ provisionEnabled: false, title: 'during' });
    relay.mend();
    await moment('the agent that was created meanwhile', () => names.includes('during'));
    expect(
      names.slice(before).filter((name) => name === 'first'),
      first.id,
    ).to.deep.equal([]);
    expect(lost.at(0)).to.be.instanceOf(MusterError);
    expect(lost.at(-1)).to.equal(undefined);
    stop.abort();
    await watched;
  });

  it('waits for an outcome across a cut', async () => {
    const { id } = await instance.fixture.create({ provisionEnabled: false });
    await instance.fixture.host.bringUp(id);
    const waiting = muster.agents.waitForAgents({ agentIds: [id] })[Symbol.asyncIterator]();
    expect((await waiting.next()).value?.agents).to.deep.equal([]);
    relay.cut();
    await instance.fixture.call('ArchiveAgent', { agentId: id });
    relay.mend();
    const { value: outcome } = await waiting.next();
    expect(outcome?.agents[0]?.agentId).to.equal(id);
    await waiting.return?.();
    const [awaited] = await muster.waitForAgents({ agentIds: [id] });
    expect(awaited?.agentId).to.equal(id);
    const cancelled = muster.waitForAgents({ agentIds: [id], afterTurn: 99 }, { signal: AbortSignal.abort() });
    expect(await refusal(cancelled)).to.deep.include({ code: 'canceled', isUnanswered: false });
  });
});

async function refusal(call: Promise<unknown>): Promise<MusterError> {
  const outcome = await call.then(
    () => new Error('it was not refused'),
    (error: unknown) => error,
  );
  if (!(outcome instanceof MusterError)) throw outcome;
  return outcome;
}
