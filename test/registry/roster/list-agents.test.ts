import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { failureOf } from '#test/support/failure.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

interface Page {
  readonly agents: AgentRow[];
  readonly nextPageToken?: string;
}

/** More than the default page size. */
const count = 60;

describe('list_agents', () => {
  let fixture: RegistryFixture;
  let longPrompt: string;

  before(async () => {
    fixture = await registryFixture({ ceiling: 1000 });
    longPrompt = '😀'.repeat(201);
    for (let made = 0; made < count; made += 1) {
      if (made % 4 === 0) fixture.clock.pass(10);
      await fixture.create({
        title: `a${made}`,
        prompt: made === 0 ? longPrompt : 'short',
        provisionEnabled: false,
        role: 'AGENT_ROLE_ORCHESTRATOR',
      });
    }
  });
  after(() => fixture.close());

  const list = (request: object = {}) => fixture.call<Page>('ListAgents', request);
  const namesOf = ({ agents }: Page) => agents.map(({ agent }) => agent?.name);

  async function walk(pageSize: number, more: object = {}): Promise<(string | undefined)[]> {
    const names: (string | undefined)[] = [];
    let cursor = '';
    for (;;) {
      const page = await list({ ...more, pagination: { pageSize, cursor } });
      names.push(...namesOf(page));
      if (page.nextPageToken === undefined) return names;
      cursor = page.nextPageToken;
    }
  }

  it('lists every agent once, most recently updated first, in pages of any size', async () => {
    const expected = Array.from({ length: count }, (_, made) => `a${count - 1 - made}`);
    for (const size of [1, 7, 40, count, 200]) expect(await walk(size)).to.deep.equal(expected);
  });

  it('returns 50 rows by default, 200 at most, and no next page on the last one', async () => {
    expect((await list()).agents).to.have.length(50);
    expect((await list({ pagination: { pageSize: 0 } })).agents).to.have.length(50);
    const whole = await list({ pagination: { pageSize: 5000 } });
    expect(whole.agents).to.have.length(count);
    expect(whole).not.to.have.property('nextPageToken');
    expect(await list({ pagination: { pageSize: count } })).not.to.have.property('nextPageToken');
  });

  it('refuses a negative size', async () => {
    const failure = await failureOf(() => list({ pagination: { pageSize: -1 } }));
    expect(failure.code).to.equal('invalid_argument');
    expect(failure.message).to.contain('-1');
  });

  it('moves a changed agent to the front', async () => {
    const { agents } = await list({ pagination: { pageSize: 200 } });
    const oldest = agents.at(-1)?.agent;
    fixture.clock.pass(10);
    await fixture.call('RenameAgent', { agentId: oldest?.id, name: 'fresh' });
    expect(namesOf(await list())[0]).to.equal('fresh');
    await fixture.call('RenameAgent', { agentId: oldest?.id, name: 'a0' });
  });

  it('cuts long prompts to 200 characters with a mark, and returns all in the full view', async () => {
    const find = ({ agents }: Page) => agents.find(({ agent }) => agent?.name === 'a0')?.agent;
    expect(find(await list())).to.deep.include({ prompt: '😀'.repeat(200), promptTruncated: true });
    expect(find(await list({ view: 'VIEW_SUMMARY' }))?.promptTruncated).to.equal(true);
    expect(find(await list({ view: 'VIEW_FULL' }))).to.deep.include({ prompt: longPrompt, promptTruncated: false });
    const { agents } = await list();
    expect(agents.find(({ agent }) => agent?.name === `a${count - 1}`)?.agent?.promptTruncated).to.equal(false);
  });

  it('lists only archived agents on request', async () => {
    expect((await list({ archived: true })).agents).to.deep.equal([]);
    for (const row of (await list({ pagination: { pageSize: 3 } })).agents) {
      await fixture.call('ArchiveAgent', { agentId: row.agent?.id });
    }
    const archived = await walk(2, { archived: true });
    expect(archived).to.have.length(3);
    expect(await walk(50))
      .to.have.length(count - 3)
      .and.not.include(archived[0]);
  });

  describe('refuses a cursor', () => {
    const cursorOf = async (request: object) => (await list(request)).nextPageToken ?? '';
    const refused: { what: string; cursor: () => Promise<string>; more?: object }[] = [
      { what: 'that is no cursor', cursor: async () => 'hello' },
      { what: 'with letters that no cursor has', cursor: async () => `${await cursorOf({})}!` },
      { what: 'that is cut short', cursor: async () => (await cursorOf({})).slice(0, -6) },
      {
        what: 'of another listing',
        cursor: async () => {
          await fixture.call('RenameAgent', { agentId: (await list()).agents[0]?.agent?.id, name: 'x1' });
          return (await fixture.call<Page>('ListFacts', { pageSize: 1 })).nextPageToken ?? '';
        },
      },
      {
        what: 'with a made-up position',
        cursor: async () =>
          Buffer.from('{"kind":"agents","archived":false,"updatedAt":"x","id":1}').toString('base64url'),
      },
      {
        what: 'with more than there is in one',
        cursor: async () =>
          Buffer.from('{"kind":"agents","archived":false,"updatedAt":1,"id":"a","x":1}').toString('base64url'),
      },
      { what: 'that was made with other filters', cursor: () => cursorOf({}), more: { archived: true } },
    ];
    for (const { what, cursor, more = {} } of refused) {
      it(what, async () => {
        const pagination = { cursor: await cursor() };
        expect(pagination.cursor).not.to.equal('');
        const failure = await failureOf(() => list({ ...more, pagination }));
        expect(failure.code).to.equal('invalid_argument');
        expect(failure.message).to.contain('cursor');
      });
    }
  });
});

describe('list_agents in full', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  it('ends a page before it exceeds the bus’s limit', async () => {
    const { id } = await fixture.workflow({ context: '😀'.repeat(50_000) });
    const prompt = '😀'.repeat(50_000);
    for (let made = 0; made < 15; made += 1) await fixture.create({ workflowId: id, title: `a${made}`, prompt });
    const first = await fixture.call<Page>('ListAgents', { view: 'VIEW_FULL' });
    expect(first.agents).to.have.length(10);
    const pagination = { cursor: first.nextPageToken };
    const second = await fixture.call<Page>('ListAgents', { view: 'VIEW_FULL', pagination });
    expect(second.agents).to.have.length(5);
    expect(second.nextPageToken).to.equal(undefined);
    expect((await fixture.host.registry.changes('hst_1', '')).agents.length).to.be.within(1, 10);
  });

  it('counts characters as the bus encodes them, so that no prompt makes the list unreadable', async () => {
    const prompt = '\u0001'.repeat(50_000);
    for (let made = 0; made < 30; made += 1) await fixture.create({ title: `a${made}`, prompt });
    const { agents, nextPageToken } = await fixture.call<Page>('ListAgents', { view: 'VIEW_FULL' });
    expect(agents).to.have.length(13);
    expect(nextPageToken).to.be.a('string');
  });
});

describe('get_agent', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  it('returns one agent, with its whole prompt and what waits for it', async () => {
    const prompt = 'word '.repeat(1000);
    const { id } = await fixture.create({ prompt });
    await fixture.call('MarkAgent', { agentId: id, mark: 'q' });
    const { agent: row } = await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId: id });
    expect(row.agent).to.deep.include({ id, promptTruncated: false });
    expect(row.agent?.prompt?.trim()).to.equal(prompt.trim());
    expect(row.mark).to.equal('q');
    expect(row.pullRequest).to.deep.equal({ state: 'PULL_REQUEST_STATE_UNREAD' });
    expect(row).not.to.have.any.keys('unreadMail', 'localReviewVerdict', 'pullRequests');
  });

  it('returns not_found for an unknown agent', async () => {
    const failure = await failureOf(() => fixture.call('GetAgent', { agentId: 'agt_9' }));
    expect(failure.code).to.equal('not_found');
  });
});
