import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { hashOf } from '#actors/registry/access/agent-tokens.ts';
import { signInSubject } from '#bus/subjects.ts';
import { boundToken } from '#contract/access/session-token.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from './registry-fixture.ts';

describe('tokens', () => {
  let fixture: RegistryFixture;

  beforeEach(async () => {
    // What one registry revokes, others refuse within a second, by a clock that is stopped here.
    fixture = await registryFixture({ registries: 1 });
  });
  afterEach(() => fixture.close());

  const issue = async (agentId: string) =>
    (await fixture.call<{ token: string }>('IssueAgentToken', { agentId })).token;

  it('stay in a file that only its owner may read, the same over restarts', async () => {
    const file = join(fixture.folder.path, 'operator.token');
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const token = readFileSync(file, 'utf8').trim();
    expect(token).to.match(/^mst_[A-Za-z0-9_-]{43}$/);
    await fixture.restart();
    expect(readFileSync(file, 'utf8').trim()).to.equal(token);
    expect(await fixture.describeHost(token)).to.deep.equal({ caller: { kind: 'person' } });
  });

  it('of the operator are read from the file at the next start, and the old one is revoked', async () => {
    writeFileSync(join(fixture.folder.path, 'operator.token'), 'mst_mine\n', { mode: 0o600 });
    await fixture.restart();
    expect(await fixture.describeHost('mst_mine')).to.deep.equal({ caller: { kind: 'person' } });
    expect(await failureOf(() => fixture.describeHost(fixture.operatorToken))).to.have.property(
      'code',
      'unauthenticated',
    );
  });

  it('identify an agent: its id, its role and its parent', async () => {
    const parent = await fixture.create({ role: 'AGENT_ROLE_IMPLEMENTER', provisionEnabled: false });
    const child = await fixture.create({ parentAgentId: parent.id });
    expect(await fixture.describeHost(fixture.tokenOf(parent.id))).to.deep.equal({
      caller: { kind: 'agent', agentId: parent.id, role: 'implementer' },
    });
    expect(await fixture.describeHost(fixture.tokenOf(child.id))).to.deep.equal({
      caller: { kind: 'agent', agentId: child.id, role: 'reviewer', parentAgentId: parent.id },
    });
  });

  it('are checked in bulk: those of ended agents and sessions, and unknown ones', async () => {
    const [kept, over] = [await fixture.create(), await fixture.create()];
    const [ofKept, ofOver] = [await issue(kept.id), await issue(over.id)];
    const { oneTimeCode } = await fixture.call<{ oneTimeCode: string }>('CreateSignInCode');
    const asked = { code: oneTimeCode, keyThumbprint: 'k'.repeat(43) };
    const signedIn = await fixture.gateway.request(signInSubject, asked, { timeoutMs: 5_000 });
    const { token } = signedIn as { readonly token: string };
    const session = boundToken(token, asked.keyThumbprint);
    const all = [fixture.operatorToken, ofKept, ofOver, session, 'mst_unknown'];
    expect(await fixture.endedOf(all)).to.deep.equal(['mst_unknown']);
    await fixture.host.bringUp(over.id);
    await fixture.call('ArchiveAgent', { agentId: over.id });
    expect(await fixture.endedOf(all)).to.deep.equal([ofOver, 'mst_unknown']);
    fixture.clock.pass(400 * 86_400_000);
    expect(await fixture.endedOf(all)).to.deep.equal([ofOver, session, 'mst_unknown']);
  });

  const works = async (token: string | undefined) =>
    fixture.call('ListAgents', {}, { token: token ?? '' }).then(
      () => true,
      () => false,
    );

  it('are new each time; only the newest are valid, and the window’s stay', async () => {
    const one = await fixture.create();
    const ofWindow = await fixture.host.registry.token(one.id, 1, 'window');
    const issued: string[] = [];
    for (let made = 0; made < 5; made += 1) issued.push(await issue(one.id));
    for (const token of issued) expect(token).to.match(/^mst_[A-Za-z0-9_-]{43}$/);
    expect(new Set(issued).size).to.equal(5);
    expect(await Promise.all(issued.map(works))).to.deep.equal([false, true, true, true, true]);
    const ofScripts = [];
    for (let run = 0; run < 5; run += 1) ofScripts.push(await fixture.host.registry.token(one.id, 1, 'script'));
    expect(await Promise.all(ofScripts.map(works))).to.deep.equal([false, true, true, true, true]);
    expect(await works(ofWindow)).to.equal(true);
    await fixture.restart();
    expect(await works(ofWindow)).to.equal(true);
    const anew = await fixture.host.registry.token(one.id, 1, 'window');
    expect(await Promise.all([anew, ofWindow, ...ofScripts].map(works))).to.deep.equal([
      true,
      ...Array.from({ length: 6 }, () => false),
    ]);
    // What a person had made for the agent belongs to no window.
    expect(await Promise.all(issued.map(works))).to.deep.equal([false, true, true, true, true]);
  });

  it('cannot be derived from stored data', async () => {
    const secret = join(fixture.folder.path, 'installation.secret');
    writeFileSync(secret, 'derive\n');
    await fixture.restart();
    expect(existsSync(secret)).to.equal(false);
  });

  it('end with the archive for good: a restored agent gets another one', async () => {
    const { id } = await fixture.create({ provisionEnabled: false });
    const token = await issue(id);
    expect(await works(token)).to.equal(true);
    await fixture.call('ArchiveAgent', { agentId: id });
    expect(await works(token)).to.equal(false);
    expect(await fixture.store.read(({ credentials }) => credentials.find(hashOf(token)))).to.equal(undefined);
    expect(await failureOf(() => issue(id))).to.have.property('code', 'failed_precondition');
    expect(await fixture.host.registry.token(id, 1, 'script')).to.equal(undefined);
    await fixture.host.tell(id, { type: 'PANE_CLOSED' });
    await fixture.call('RestoreAgent', { agentId: id });
    expect(await works(token)).to.equal(false);
    const anew = await issue(id);
    expect(await works(anew)).to.equal(true);
    await fixture.call('DeleteAgent', { agentId: id });
    expect(await works(anew)).to.equal(false);
    await fixture.host.tell(id, { type: 'PANE_CLOSED' });
    expect(await works(anew)).to.equal(false);
    expect(await failureOf(() => issue(id))).to.have.property('code', 'not_found');
  });

  it('are rotated together: of agents, of browsers, and the operator’s, which is replaced', async () => {
    const { id } = await fixture.create({ provisionEnabled: false });
    const tokens = [await issue(id), await fixture.host.registry.token(id, 1, 'window')];
    const { oneTimeCode } = await fixture.call<{ oneTimeCode: string }>('CreateSignInCode');
    const signIn = (code: string) =>
      fixture.gateway.request(signInSubject, { code, keyThumbprint: 'k'.repeat(43) }, { timeoutMs: 5_000 }) as Promise<{
        token: string;
      }>;
    tokens.push((await signIn(oneTimeCode)).token);
    const { oneTimeCode: unused } = await fixture.call<{ oneTimeCode: string }>('CreateSignInCode');
    const file = join(fixture.folder.path, 'operator.token');
    const answer = await fixture.call<{ operatorToken: string; agents: number; sessions: number }>('RotateTokens');
    expect(answer).to.deep.include({ agents: 1, sessions: 1 });
    expect(readFileSync(file, 'utf8').trim()).to.equal(answer.operatorToken);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    for (const token of [...tokens, fixture.operatorToken]) expect(await works(token)).to.equal(false);
    expect(await failureOf(() => signIn(unused))).to.have.property('code', 'unauthenticated');
    expect(await works(answer.operatorToken)).to.equal(true);
    await fixture.restart();
    for (const token of [...tokens, fixture.operatorToken]) expect(await works(token)).to.equal(false);
    expect(await works(answer.operatorToken)).to.equal(true);
  });

  it('are rotated for one agent alone', async () => {
    const [one, two] = [await fixture.create(), await fixture.create()];
    const [ofOne, ofTwo] = [await issue(one.id), await issue(two.id)];
    await fixture.call('RotateTokens', { agentId: one.id });
    expect(await Promise.all([ofOne, ofTwo, fixture.operatorToken].map(works))).to.deep.equal([false, true, true]);
  });

  it('are issued to no script of an agent whose tokens were rotated, until it has another one', async () => {
    const { id } = await fixture.create({ provisionEnabled: false });
    const script = () => fixture.host.registry.token(id, 1, 'script');
    await fixture.call('RotateTokens', { agentId: id });
    expect(await works(await script()), 'before its first window').to.equal(true);
    await fixture.host.registry.token(id, 1, 'window');
    await fixture.host.bringUp(id);
    expect(await works(await script())).to.equal(true);
    for (const given of [{}, { agentId: id }]) {
      await fixture.host.registry.token(id, 1, 'window');
      await fixture.call('RotateTokens', given, {
        token: readFileSync(join(fixture.folder.path, 'operator.token'), 'utf8').trim(),
      });
      expect(await script()).to.equal(undefined);
    }
    await fixture.host.registry.token(id, 1, 'window');
    expect(await works(await script())).to.equal(true);
  });

  it('are neither the database’s hashes nor the bus’s', async () => {
    const { id } = await fixture.create();
    await issue(id);
    const rows = await fixture.database.rowsIn('credential');
    expect(rows.length).to.be.at.least(2);
    for (const hash of rows.map((row) => String(row['hash']))) {
      expect(await works(hash)).to.equal(false);
      const call = { credential: hash, request: {} };
      const subject = 'rpc.agent.v1.AgentService.ListAgents';
      expect(await failureOf(() => fixture.gateway.request(subject, call, { timeoutMs: 5_000 }))).to.have.property(
        'code',
        'unauthenticated',
      );
    }
  });

  it('are invalid while their agent is being deleted, and valid again only after a refusal', async () => {
    const { id } = await fixture.create({ provisionEnabled: true });
    const tokens = [await issue(id), await fixture.host.registry.token(id, 1, 'window')];
    await fixture.call('DeleteAgent', { agentId: id });
    expect(await Promise.all(tokens.map(works))).to.deep.equal([false, false]);
    expect(await fixture.host.registry.token(id, 1, 'script')).to.equal(undefined);
    await fixture.host.tell(id, { type: 'STEP_FAILED', step: 'inspecting', reason: 'unsaved work' });
    expect(await Promise.all(tokens.map(works))).to.deep.equal([true, true]);
    expect(await works(await issue(id))).to.equal(true);
    await fixture.call('DeleteAgent', { agentId: id });
    await fixture.host.tell(id, { type: 'WORKTREE_INSPECTED' });
    await fixture.host.tell(id, { type: 'STEP_FAILED', step: 'closing', reason: 'tmux hangs' });
    expect(await Promise.all(tokens.map(works))).to.deep.equal([false, false]);
    expect(await failureOf(() => issue(id))).to.have.property('code', 'failed_precondition');
    await fixture.call('RestoreAgent', { agentId: id });
    expect(await works(tokens[0])).to.equal(false);
    expect(await works(await issue(id))).to.equal(true);
  });

  for (const [method, request] of [
    ['ArchiveAgent', {}],
    ['DeleteAgent', { force: true }],
  ] as const) {
    it(`stay revoked while the host is offline, and if ${method} ${JSON.stringify(request)} is abandoned`, async () => {
      const { id } = await fixture.create();
      const token = await issue(id);
      await fixture.call(method, { agentId: id, ...request });
      expect(await works(token)).to.equal(false);
      fixture.clock.pass(6 * 60_000);
      expect(await works(token)).to.equal(false);
      // The host is there again, and does not get on with it.
      await moment('it is given up', async () => {
        fixture.clock.pass(10_000);
        await fixture.host.beat();
        const { agent } = await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId: id });
        return agent.agent?.state === 'AGENT_STATE_FAILED_TO_CLEANUP';
      });
      expect(await works(token)).to.equal(false);
      expect(await failureOf(() => issue(id))).to.have.property('code', 'failed_precondition');
      await fixture.call('RestoreAgent', { agentId: id });
      expect(await works(token)).to.equal(false);
    });
  }

  it('are issued to no host that lost the agent to another one', async () => {
    const { id } = await fixture.create();
    const failure = await failureOf(() => fixture.host.registry.token(id, 0, 'script'));
    expect(failure.code).to.equal('failed_precondition');
    expect(failure.message).to.contain('epoch');
  });

  it('are nowhere in the database, not even in its log', async () => {
    const { id } = await fixture.create();
    const token = await issue(id);
    const content = await fixture.database.content();
    expect(content).to.contain(id);
    for (const secret of [token, fixture.operatorToken]) expect(content.includes(secret)).to.equal(false);
  });
});
