import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { publishFact } from '#bus/facts.ts';
import { moment } from '#test/support/moment.ts';
import { type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { connectOverHttp, everyEra } from '../mcp-client.ts';
import { openStream } from '../stream-call.ts';

interface News {
  readonly agents?: readonly { readonly agent: { readonly id: string } }[];
  readonly cursor?: string;
}

for (const era of everyEra) {
  describe(`a watch as a tool, to a client of ${era}`, () => {
    let gateway: GatewayFixture;
    let client: Client;
    let rows: string[];

    const start = async (options = {}) => {
      gateway = await gatewayFixture(options);
      rows = [];
      gateway.answer('WatchAgents', ({ cursor = '0' }) => {
        const from = Number(cursor);
        const page = rows.slice(from, from + 2);
        return { agents: page.map((id) => ({ agent: { id } })), goneAgentIds: [], cursor: String(from + page.length) };
      });
      client = await connectOverHttp(gateway.url, era);
    };
    afterEach(async () => {
      await client.close();
      await gateway.close();
    });

    const move = (id: string) => {
      rows.push(id);
      publishFact(gateway.registry, { kind: 'agent.changed', seq: String(rows.length), subjectId: id });
    };
    const wait = (given: Record<string, unknown>, signal?: AbortSignal): Promise<CallToolResult> =>
      client.callTool({ name: 'watch_agents', arguments: given }, signal === undefined ? {} : { signal });
    const news = async (given: Record<string, unknown>) => {
      const { agents = [], cursor } = (await wait(given)).structuredContent as News;
      return { ids: agents.map(({ agent }) => agent.id), cursor };
    };

    it('reports what exists page by page, and then waits for changes', async () => {
      await start();
      rows.push('a', 'b', 'c');
      expect(await news({})).to.deep.equal({ ids: ['a', 'b'], cursor: '2' });
      expect(await news({ cursor: '2' })).to.deep.equal({ ids: ['c'], cursor: '3' });
      gateway.calls.length = 0;
      const next = news({ cursor: '3', view: 'VIEW_FULL' });
      await moment('it waits', () => gateway.calls.length === 1);
      move('d');
      expect(await next).to.deep.equal({ ids: ['d'], cursor: '4' });
      expect(gateway.calls.map(({ request }) => request)).to.deep.equal([
        { cursor: '3', view: 'VIEW_FULL' },
        { cursor: '3', view: 'VIEW_FULL' },
      ]);
    });

    it('begins with the current rows, even right after another watch began', async () => {
      await start();
      rows.push('a');
      const other = await openStream(gateway, '/agent.v1.AgentService/WatchAgents', {});
      expect(Object.keys((await other.next())?.json ?? {})).to.include('agents');
      rows.push('b');
      expect(await news({})).to.deep.equal({ ids: ['a', 'b'], cursor: '2' });
      await other.close();
    });

    it('returns the cursor alone after its time limit', async () => {
      await start();
      rows.push('a');
      const since = performance.now();
      expect(await news({ cursor: '1', timeoutSeconds: 1 })).to.deep.equal({ ids: [], cursor: '1' });
      expect(performance.now() - since).to.be.within(900, 5_000);
    });

    it('finds at a heartbeat a change whose hint was lost', async () => {
      await start({ heartbeatMs: 50 });
      const next = news({ timeoutSeconds: 10 });
      await moment('it waits', () => gateway.calls.length > 0);
      rows.push('a');
      expect((await next).ids).to.deep.equal(['a']);
    });

    it('counts among the watches of its token while it waits', async () => {
      await start({ streamsPerToken: 1 });
      const first = news({ timeoutSeconds: 10 });
      await moment('it waits', () => gateway.calls.length === 1);
      expect((await wait({})).structuredContent).to.include({ code: 'resource_exhausted' });
      move('a');
      expect((await first).ids).to.deep.equal(['a']);
      expect((await news({})).ids, 'there is room again').to.deep.equal(['a']);
    });

    it('ends when its caller disconnects', async () => {
      await start({ streamsPerToken: 1 });
      const going = new AbortController();
      const first = wait({ timeoutSeconds: 50 }, going.signal).catch(() => 'gone');
      await moment('it waits', () => gateway.calls.length === 1);
      going.abort();
      expect(await first).to.equal('gone');
      await client.close();
      move('a');
      client = await connectOverHttp(gateway.url, era);
      await moment('there is room again', async () => (await news({})).ids.length === 1);
    });

    it('ends when the gateway stops', async () => {
      await start();
      const last = wait({ timeoutSeconds: 50 }).catch(() => undefined);
      await moment('it waits', () => gateway.calls.length === 1);
      const since = performance.now();
      await gateway.gateway.stop();
      await last;
      expect(performance.now() - since).to.be.lessThan(20_000);
    });
  });
}
