import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Failure } from '#contract/failure.ts';
import { failureOf } from '#test/support/failure.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('find_agent', () => {
  let fixture: RegistryFixture;
  const ids = new Map<string, string>();

  async function make(name: string, isArchived = false): Promise<string> {
    fixture.clock.pass(10);
    const { id } = await fixture.create({ title: name, prompt: 'Look.', provisionEnabled: false });
    if (isArchived) {
      await fixture.call('ArchiveAgent', { agentId: id });
      await fixture.host.tell(id, { type: 'PANE_CLOSED' });
    }
    ids.set(isArchived ? `${name}, archived` : name, id);
    return id;
  }

  before(async () => {
    fixture = await registryFixture({ ceiling: 1000 });
    for (const name of ['fix', 'twin', 'old-1', 'old-2']) await make(name, true);
    await make('twin', true);
    for (const name of ['fix-a', 'reader', 'reader-two', 'broken', 'twin', 'old-3']) await make(name);
    for (let made = 0; made < 10; made += 1) await make(`many-${made}`);
    await fixture.call('MarkAgent', { agentId: ids.get('broken'), mark: 'r' });
  });
  after(() => fixture.close());

  const find = async (called: string, more: object = {}): Promise<AgentRow['agent']> =>
    (await fixture.call<{ agent: AgentRow }>('FindAgent', { called, ...more })).agent.agent;
  const refusal = (called: string): Promise<Failure> => failureOf(() => find(called));

  it('finds by id, name, mark, and the beginning of a name or id', async () => {
    const id = ids.get('broken') ?? '';
    for (const called of [id, 'broken', 'r', 'bro']) {
      expect(await find(called), called).to.include({ id, name: 'broken', promptTruncated: false });
    }
    const { metadata } = await refusal(id.slice(0, -1));
    expect(metadata['ids']?.split(' ')).to.include(id);
  });

  it('prefers a whole name to longer ones, and an archived agent’s to a prefix', async () => {
    expect(await find('reader')).to.include({ name: 'reader' });
    expect(await find('fix')).to.include({ id: ids.get('fix, archived') });
    expect(await find('fix-')).to.include({ id: ids.get('fix-a') });
  });

  it('prefers unarchived agents, unless archived ones are requested first', async () => {
    expect(await find('twin')).to.include({ id: ids.get('twin') });
    expect(await find('old-')).to.include({ id: ids.get('old-3') });
    expect(await find('fix', { archivedFirst: true })).to.include({ id: ids.get('fix, archived') });
    expect(await find('reader', { archivedFirst: true })).to.include({ id: ids.get('reader') });
  });

  it('lists the candidates if several match, the most recently updated first', async () => {
    const [first, second] = [ids.get('reader-two'), ids.get('reader')];
    expect((await refusal('read')).toJSON()).to.deep.equal({
      code: 'invalid_argument',
      reason: 'AMBIGUOUS_NAME',
      message: `"read" could be any of "reader-two" (${first}), "reader" (${second}): write more of the name, or the id`,
      metadata: { ids: `${first} ${second}`, count: '2' },
    });
    const many = await refusal('many');
    expect(many.message).to.match(/"many-9".*"many-2" \(\w+\) and 2 more: /);
    expect(many.metadata['ids']?.split(' ')).to.have.length(8);
    expect(many.metadata['count']).to.equal('10');
    const archived = await failureOf(() => find('old-', { archivedFirst: true }));
    expect(archived.metadata['count']).to.equal('2');
  });

  it('finds nothing by the prefix of all ids, and no deleted agent', async () => {
    expect((await refusal('agt_')).reason).to.equal('AGENT_NOT_FOUND');
    const id = await make('short-lived');
    await fixture.call('DeleteAgent', { agentId: id });
    await fixture.host.tell(id, { type: 'PANE_CLOSED' });
    for (const called of [id, 'short-lived']) expect((await refusal(called)).reason).to.equal('AGENT_NOT_FOUND');
  });

  it('suggests the nearest name, also of an archived agent', async () => {
    expect((await refusal('borken')).toJSON()).to.deep.equal({
      code: 'not_found',
      reason: 'AGENT_NOT_FOUND',
      message: 'There is no agent "borken": did you mean "broken"?',
      metadata: { agentId: 'borken' },
    });
    expect((await refusal('old-l')).message).to.match(/did you mean "old-\d"\?$/);
    expect((await refusal('x'.repeat(200))).message).to.match(/: list_agents lists them$/);
  });
});
