import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { type RegistryFixture, registryFixture } from './registry-fixture.ts';

describe('tokens', () => {
  let fixture: RegistryFixture;

  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(() => fixture.close());

  const issue = async (agentId: string) =>
    (await fixture.call<{ token: string }>('IssueAgentToken', { agentId })).token;

  it("keeps the operator's in a file that only its owner may read, the same one over restarts", async () => {
    const file = join(fixture.folder.path, 'operator.token');
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const token = readFileSync(file, 'utf8').trim();
    expect(token).to.match(/^mst_[A-Za-z0-9_-]{43}$/);
    await fixture.restart();
    expect(readFileSync(file, 'utf8').trim()).to.equal(token);
    expect(await fixture.whoIs(token)).to.deep.equal({ caller: { kind: 'person' } });
  });

  it("takes another operator's token from the file at the next start, and the old one no more", async () => {
    writeFileSync(join(fixture.folder.path, 'operator.token'), 'mst_mine\n');
    await fixture.restart();
    expect(await fixture.whoIs('mst_mine')).to.deep.equal({ caller: { kind: 'person' } });
    expect(await failureOf(() => fixture.whoIs(fixture.operatorToken))).to.have.property('code', 'unauthenticated');
  });

  it('says of an agent who it is: its id, its role and its parent', async () => {
    const parent = await fixture.create({ role: 'AGENT_ROLE_IMPLEMENTER', provisionEnabled: false });
    const child = await fixture.create({ parentAgentId: parent.id });
    expect(await fixture.whoIs(fixture.tokenOf(parent.id))).to.deep.equal({
      caller: { kind: 'agent', agentId: parent.id, role: 'implementer' },
    });
    expect(await fixture.whoIs(fixture.tokenOf(child.id))).to.deep.equal({
      caller: { kind: 'agent', agentId: child.id, role: 'reviewer', parentAgentId: parent.id },
    });
  });

  it('hands out the same token to the person and to the host, and one of its own to each agent', async () => {
    const [one, two] = [await fixture.create(), await fixture.create()];
    const token = await issue(one.id);
    expect(token).to.match(/^mst_[A-Za-z0-9_-]{43}$/);
    expect(await issue(one.id)).to.equal(token);
    expect(await fixture.host.registry.token(one.id, 1)).to.equal(token);
    await fixture.restart();
    expect(await issue(one.id)).to.equal(token);
    expect(await issue(two.id)).not.to.equal(token);
    expect(token).to.equal(fixture.tokenOf(one.id));
  });

  it('ends with the archive, comes back with the restore, and ends for good with the deletion', async () => {
    const { id } = await fixture.create({ provisionEnabled: false });
    const token = await issue(id);
    await fixture.call('ListAgents', {}, { token });
    await fixture.call('ArchiveAgent', { agentId: id });
    expect(await failureOf(() => fixture.call('ListAgents', {}, { token }))).to.have.property(
      'code',
      'unauthenticated',
    );
    expect(await failureOf(() => issue(id))).to.have.property('code', 'failed_precondition');
    await fixture.host.tell(id, { type: 'PANE_CLOSED' });
    await fixture.call('RestoreAgent', { agentId: id });
    await fixture.call('ListAgents', {}, { token });
    await fixture.call('DeleteAgent', { agentId: id });
    expect(await failureOf(() => fixture.call('ListAgents', {}, { token }))).to.have.property(
      'code',
      'unauthenticated',
    );
    await fixture.host.tell(id, { type: 'PANE_CLOSED' });
    expect(await failureOf(() => fixture.call('ListAgents', {}, { token }))).to.have.property(
      'code',
      'unauthenticated',
    );
    expect(await failureOf(() => issue(id))).to.have.property('code', 'not_found');
  });

  it('stays good where a deletion is refused before anything was closed', async () => {
    const { id } = await fixture.create({ provisionEnabled: true });
    const token = await issue(id);
    await fixture.call('DeleteAgent', { agentId: id });
    await fixture.call('ListAgents', {}, { token });
    await fixture.host.tell(id, { type: 'STEP_FAILED', step: 'inspecting', reason: 'unsaved work' });
    await fixture.call('ListAgents', {}, { token });
  });

  it('is given to no host that lost the agent to another one', async () => {
    const { id } = await fixture.create();
    const failure = await failureOf(() => fixture.host.registry.token(id, 0));
    expect(failure.code).to.equal('failed_precondition');
    expect(failure.message).to.contain('epoch');
  });

  it('is nowhere in the database, not even in its log', async () => {
    const { id } = await fixture.create();
    const token = await issue(id);
    const files = readdirSync(fixture.folder.path).filter((name) => name.startsWith('muster.db'));
    expect(files).to.include('muster.db-wal');
    for (const name of files) {
      const content = readFileSync(join(fixture.folder.path, name), 'latin1');
      for (const secret of [token, fixture.operatorToken]) expect(content.includes(secret)).to.equal(false);
    }
  });
});
