import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { publishFact } from '#bus/facts.ts';
import { refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { call } from '../http-call.ts';
import { connectOverHttp, type Era, everyEra } from '../mcp-client.ts';

const agent = 'muster://agents/agt_1';
const pane = 'muster://agents/agt_1/pane';

describe('the resources of MCP', () => {
  let gateway: GatewayFixture;
  let name: string;
  let screen: string;
  const clients: Client[] = [];

  beforeEach(async () => {
    gateway = await gatewayFixture({ streamsPerToken: 2 });
    name = 'fix-login';
    screen = 'one';
    gateway.answer('GetAgent', ({ agentId }) => {
      if (agentId !== 'agt_1') throw refusalWith('not_found', `There is no agent ${String(agentId)}`);
      return { agent: { agent: { id: 'agt_1', name } } };
    });
    gateway.answer('ReadPane', () => ({ screen: { text: screen, title: 't' }, screenDigest: `digest of ${screen}` }));
    gateway.answer('ListAgents', ({ pagination }) =>
      pagination === undefined
        ? { agents: [{ agent: { id: 'agt_1', name, state: 'AGENT_STATE_IDLE' } }], nextPageToken: 'more' }
        : { agents: [{ agent: { id: 'agt_2', name: 'other', state: 'AGENT_STATE_THINKING' } }] },
    );
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await gateway.close();
  });

  async function connect(era: Era): Promise<Client> {
    const client = await connectOverHttp(gateway.url, era);
    clients.push(client);
    return client;
  }
  const move = (subjectId = 'agt_1', kind = 'agent.changed') =>
    publishFact(gateway.registry, { kind, seq: '1', subjectId } as Parameters<typeof publishFact>[1]);

  for (const era of everyEra) {
    it(`are listed and read by a client of ${era}`, async () => {
      const client = await connect(era);
      const { resources } = await client.listResources();
      expect(resources.map(({ uri, name: named }) => [uri, named])).to.deep.equal([
        [agent, 'fix-login'],
        ['muster://agents/agt_2', 'other'],
      ]);
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).to.deep.equal([
        'muster://agents/{agentId}',
        'muster://agents/{agentId}/pane',
        'muster://reviews/{reviewId}',
      ]);
      expect((await client.readResource({ uri: agent })).contents).to.deep.equal([
        { uri: agent, mimeType: 'application/json', text: JSON.stringify({ agent: { agent: { id: 'agt_1', name } } }) },
      ]);
      expect((await client.readResource({ uri: pane })).contents).to.deep.equal([
        { uri: pane, mimeType: 'text/plain', text: 'one' },
      ]);
    });

    it(`that do not exist are reported as missing to a client of ${era}`, async () => {
      const client = await connect(era);
      for (const uri of ['muster://agents/agt_9', 'muster://agents', 'muster://agents/a/b/c', 'file:///etc/passwd']) {
        const refusal = await client.readResource({ uri }).catch((error: unknown) => error);
        expect(refusal, uri).to.deep.include({ code: -32602, data: { uri } });
      }
    });

    it(`keep muster’s own code in a refusal to a client of ${era}`, async () => {
      const client = await connect(era);
      gateway.answer('ReadPane', () => {
        throw refusalWith('permission_denied', 'It is not a child of yours');
      });
      const refusal = await client.readResource({ uri: pane }).catch((error: unknown) => error);
      const data = { code: 'permission_denied', message: 'It is not a child of yours' };
      expect(refusal).to.deep.include({ code: -32603, data });
    });
  }

  it('cannot be subscribed to over HTTP by a client of 2025, which gets the reason', async () => {
    expect((await connect('2025')).getServerCapabilities()?.resources).to.deep.equal({});
    expect((await connect('2026-07-28')).getServerCapabilities()?.resources).to.deep.equal({ subscribe: true });
  });

  describe('that are subscribed to', () => {
    let told: string[];
    let client: Client;
    beforeEach(async () => {
      told = [];
      client = await connect('2026-07-28');
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
    });
    const listen = (...uris: string[]): Promise<McpSubscription> => client.listen({ resourceSubscriptions: uris });
    const looked = (method: string) => gateway.calls.filter((call) => call.method === method).length;

    it('report only real changes of content', async () => {
      await listen(agent);
      await moment('it has looked again', () => looked('GetAgent') === 2);
      move();
      await moment('it has looked at the fact', () => looked('GetAgent') === 3);
      expect(told).to.deep.equal([]);
      name = 'fix-logout';
      move('agt_2');
      move('agt_1', 'host.seen');
      move();
      move();
      await moment('it is told', () => told.length > 0);
      expect(told).to.deep.equal([agent]);
      expect(looked('GetAgent'), 'facts are gathered').to.equal(4);
    });

    it('report a pane whose screen changes without a fact', async () => {
      await listen(pane, agent);
      for (const [place, text] of ['two', 'three'].entries()) {
        screen = text;
        await moment('it is told', () => told.length > place);
      }
      expect(told).to.deep.equal([pane, pane]);
    });

    it('report a review’s changes and claims, and none of another agent’s', async () => {
      let said = 'Name it.';
      gateway.answer('ListReviewThreads', ({ reviewId }) => {
        if (reviewId !== 'rvw_1') throw refusalWith('not_found', 'There is no review');
        return { threads: [{ messages: [{ body: said }] }], reviews: [{ id: 'rvw_1', agentId: 'agt_1' }] };
      });
      const uri = 'muster://reviews/rvw_1';
      const [content] = (await client.readResource({ uri })).contents;
      expect(JSON.parse((content as { text: string }).text).reviews).to.deep.equal([{ id: 'rvw_1', agentId: 'agt_1' }]);
      await listen(uri);
      await moment('it has looked again', () => looked('ListReviewThreads') === 3);
      said = 'Name it what it is.';
      move('agt_2', 'review.answered');
      move('agt_1', 'agent.changed');
      move('agt_1', 'review.answered');
      await moment('it is told', () => told.length === 1);
      said = 'Delivered.';
      move('agt_1', 'doorbell.claimed');
      await moment('it is told again', () => told.length === 2);
      expect(told).to.deep.equal([uri, uri]);
      expect(looked('ListReviewThreads')).to.equal(5);
      const refusal = await client.readResource({ uri: 'muster://reviews/rvw_2' }).catch((error: unknown) => error);
      expect(refusal).to.deep.include({ code: -32602 });
    });

    it('report changes during an outage of the bus', async () => {
      await listen(agent);
      await moment('it has looked', () => looked('GetAgent') === 2);
      await gateway.nats.kill();
      name = 'fix-logout';
      await gateway.nats.restart();
      await moment('it is told', () => told.length > 0);
    });

    it('are checked again if the registry could not answer at first', async () => {
      await listen(agent);
      await moment('it has looked', () => looked('GetAgent') === 2);
      let away = true;
      gateway.answer('GetAgent', () => {
        if (away) throw refusalWith('unavailable', 'away');
        return {};
      });
      move();
      await moment('it has looked', () => looked('GetAgent') === 3);
      expect(told).to.deep.equal([]);
      away = false;
      await moment('it is told', () => told.length > 0);
    });

    it('report nothing after unsubscribe', async () => {
      const subscription = await listen(agent, pane);
      await subscription.close();
      const other = 'muster://agents/agt_2/pane';
      await listen(other);
      const panes = () =>
        gateway.calls.filter(({ method }) => method === 'ReadPane').map(({ request }) => request['agentId']);
      await moment('the other one is looked at', () => panes().at(-1) === 'agt_2');
      const before = panes().length;
      await moment('it is looked at twice more', () => panes().length >= before + 2);
      expect(panes().slice(before)).to.deep.equal(['agt_2', 'agt_2']);
    });

    it('are refused if the caller may not read them', async () => {
      gateway.answer('ReadPane', () => {
        throw refusalWith('permission_denied', 'It is not a child of yours');
      });
      const refusal = await listen(agent, pane).catch((error: unknown) => error);
      expect(String(refusal)).to.match(/permission_denied: It is not a child of yours/);
    });

    it('report again, and then nothing, when the caller loses access', async () => {
      await listen(agent);
      gateway.revoke();
      move();
      await moment('it is told', () => told.length > 0);
      const asked = gateway.asked();
      move();
      await listen(agent).catch(() => undefined);
      expect(told).to.deep.equal([agent]);
      expect(gateway.asked() - asked, 'only the refused one asked').to.be.at.most(2);
    });

    it('use one of the token’s streams, and release it', async () => {
      const [first] = [await listen(agent), await listen(agent)];
      const refusal = await listen(agent).catch((error: unknown) => error);
      expect(String(refusal)).to.match(/resource_exhausted/);
      expect(
        String(await listen(...Array.from({ length: 65 }, (_, n) => `${agent}${n}`)).catch((error: unknown) => error)),
      ).to.match(/at most 64/);
      await first?.close();
      await moment('there is room again', () => listen(agent).catch(() => undefined));
    });

    it('use no stream if the request is refused', async () => {
      const params = {
        notifications: { resourceSubscriptions: [agent] },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      };
      for (let times = 0; times < 3; times += 1) {
        const body = { jsonrpc: '2.0', id: times, method: 'subscriptions/listen', params };
        // What the later protocol wants in headers is missing.
        const { status } = await call(gateway, '/mcp', {
          body,
          headers: { accept: 'application/json, text/event-stream' },
        });
        expect(status).to.equal(400);
      }
      await listen(agent);
      await listen(agent);
    });

    it('end cleanly when the gateway stops', async () => {
      const subscription = await listen(agent);
      await gateway.gateway.stop();
      expect(await subscription.closed).to.equal('graceful');
    });
  });
});
