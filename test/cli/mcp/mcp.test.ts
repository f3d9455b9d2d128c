import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { publishFact } from '#bus/facts.ts';
import { toolName } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { type GatewayFixture, gatewayFixture, token } from '#test/gateway/gateway-fixture.ts';
import { everyEra } from '#test/gateway/mcp-client.ts';
import { sampleOf } from '#test/gateway/sample-message.ts';
import { refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';
import { runProgram } from '../command-line.ts';
import { connectOverStdio } from './mcp-client.ts';

const agent = 'muster://agents/agt_1';

for (const [which, era] of everyEra.entries()) {
  describe(`muster mcp, to a client of ${era}`, () => {
    /** What does not depend on the era: in the suite with the newest one alone. */
    const itOnce = era === '2025' ? inSoak : it;
    let gateway: GatewayFixture;
    let client: Client;
    let told: string[];

    beforeEach(async () => {
      gateway = await gatewayFixture();
      const env = { SERVICE_BASE_URL: gateway.url, SERVICE_TOKEN: token, SERVICE_AGENT_ID: 'agt_1' };
      client = await connectOverStdio(era, env);
      told = [];
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
    });
    afterEach(async () => {
      await client.close();
      await gateway.close();
    });

    const move = () => publishFact(gateway.registry, { kind: 'agent.changed', seq: '1', subjectId: 'agt_1' });
    const listen = async (...uris: string[]): Promise<() => Promise<unknown>> => {
      if (era !== '2025') {
        const subscription = await client.listen({ resourceSubscriptions: uris });
        return () => subscription.close();
      }
      for (const uri of uris) await client.subscribeResource({ uri });
      return () => Promise.all(uris.map((uri) => client.unsubscribeResource({ uri })));
    };

    it('offers every operation as a tool, with the service’s own answers and refusals', async () => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).to.deep.equal(operations.map(toolName));
      for (const row of someOf(operations, which, everyEra.length)) {
        gateway.answer(row.method, () => sampleOf(row.response));
        const given = sampleOf(row.request);
        const { structuredContent } = await client.callTool({ name: toolName(row), arguments: given });
        expect(structuredContent, row.method).to.deep.equal(sampleOf(row.response));
      }
      gateway.answer('GetAgent', () => {
        throw refusalWith('not_found', 'There is no agent ä');
      });
      expect(await client.callTool({ name: 'get_agent', arguments: { agentId: 'ä' } })).to.deep.include({
        isError: true,
        structuredContent: { code: 'not_found', message: 'There is no agent ä' },
      });
      const refusal = await client.callTool({ name: 'ä', arguments: {} }).catch((error: unknown) => error);
      expect(refusal).to.include({ code: -32602 });
      expect(client.getInstructions()).to.match(/for the person/);
    });

    itOnce('continues over a restart of the service', async () => {
      gateway.answer('ListAgents', () => ({ nextPageToken: 'more' }));
      const list = async () => (await client.callTool({ name: 'list_agents', arguments: {} })).structuredContent;
      expect(await list()).to.deep.equal({ nextPageToken: 'more' });
      await gateway.restart();
      expect(await list()).to.deep.equal({ nextPageToken: 'more' });
      await gateway.gateway.stop();
      const during = list();
      await gateway.restart();
      expect(await during, 'a call waits for the service').to.deep.equal({ nextPageToken: 'more' });
      expect((await client.listTools()).tools).to.have.length(operations.length);
    });

    it('reports subscribed resources, also over a restart, and stops after unsubscribe', async () => {
      let name = 'one';
      gateway.answer('GetAgent', () => ({ agent: { agent: { id: 'agt_1', name } } }));
      const released = await listen(agent);
      const looked = () => gateway.calls.filter(({ method }) => method === 'GetAgent').length;
      await moment('the service looks', () => looked() === 2);
      name = 'two';
      move();
      await moment('it is told', () => told.length === 1);
      await gateway.restart();
      await moment('it is told that something may have moved', () => told.length === 2);
      name = 'three';
      move();
      await moment('it is told again', () => told.length === 3);
      expect(new Set(told)).to.deep.equal(new Set([agent]));
      await released();
      /** Lets everything through that was asked for before. */
      const roundTrip = async () => (await listen('muster://agents/agt_1/pane').catch(() => undefined))?.();
      await roundTrip();
      const before = looked();
      name = 'four';
      move();
      await roundTrip();
      expect(looked() - before, 'nobody looks').to.equal(0);
    });

    itOnce('answers a forbidden subscription with the refusal', async () => {
      gateway.answer('ReadPane', () => {
        throw refusalWith('permission_denied', 'It is not a child of yours');
      });
      const refusal = await listen(`${agent}/pane`).catch((error: unknown) => error);
      expect(String(refusal)).to.match(/It is not a child of yours/);
    });

    itOnce('cancels requests that its client has cancelled', async () => {
      gateway.answer('WatchAgents', () => ({ cursor: '1' }));
      const going = new AbortController();
      const given = { name: 'watch_agents', arguments: { timeoutSeconds: 50 } };
      const waiting = client.callTool(given, { signal: going.signal }).catch(() => 'gone');
      await moment('it waits', () => gateway.calls.length === 1);
      going.abort();
      expect(await waiting).to.equal('gone');
      const since = performance.now();
      await gateway.gateway.stop();
      expect(performance.now() - since, 'nothing is under way').to.be.lessThan(1_000);
    });
  });
}

describe('muster mcp', () => {
  it('refuses to start for an agent without a token, with the remedy', async () => {
    const { code, err, out } = await runProgram(['mcp'], { env: { SERVICE_AGENT_ID: 'agt_1' } });
    expect([code, out]).to.deep.equal([8, '']);
    expect(err).to.include('SERVICE_TOKEN');
  });

  it('answers all input before its end, line by line, and reports invalid messages', async () => {
    const gateway = await gatewayFixture();
    const env = { SERVICE_BASE_URL: gateway.url, SERVICE_TOKEN: token };
    const stdin = [
      'nonsense',
      '[]',
      '',
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","id":"a","method":"ping"}',
    ].join('\n');
    const { code, out } = await runProgram(['mcp'], { env, stdin });
    await gateway.close();
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
    expect(answers.map(({ id, error }) => [id, error?.code])).to.deep.equal([
      [null, -32700],
      [null, -32600],
      ['a', undefined],
    ]);
    expect(code).to.equal(0);
  });

  it('passes on the service’s answer to an unknown token', async () => {
    const gateway = await gatewayFixture();
    const stdin =
      '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_agents"}}';
    const { out } = await runProgram(['mcp'], {
      env: { SERVICE_BASE_URL: gateway.url, SERVICE_TOKEN: 'wrong' },
      stdin,
    });
    await gateway.close();
    expect(out).to.match(/"id":1,"error":\{"code":-32603,"message":"unauthenticated: /);
    expect(out).to.match(/"id":2,"result":\{"isError":true,.*"code":"unauthenticated"/);
  });
});
