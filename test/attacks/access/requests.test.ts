import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { pathOf } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { channels, codeOf, doorOf, rowOf } from '#test/channels/channel.ts';
import { type Instance, startInstance } from '#test/channels/instance.ts';
import { call, createAgent, type HttpQuestion, listAgents } from '#test/gateway/http-call.ts';
import { timesOf } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';

interface Row {
  readonly agent: { readonly id: string; readonly name: string; readonly prompt: string };
}

/** The largest request that is promised to be taken, in bytes. */
const maxRequestBytes = 4 * 1024 * 1024;

describe('an attack with request content', () => {
  let instance: Instance;
  let workflowId: string;
  let agentId: string;

  before(async () => {
    instance = await startInstance();
    workflowId = (await instance.fixture.workflow()).id;
    agentId = (await instance.fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_IMPLEMENTER' })).id;
    await instance.fixture.host.bringUp(agentId);
  });
  after(() => instance.close());

  const person = () => doorOf(instance, instance.fixture.operatorToken);
  const asAgent = () => doorOf(instance, instance.fixture.tokenOf(agentId));
  const ask = (path: string, { headers = {}, ...question }: HttpQuestion) =>
    call(instance, path, {
      ...question,
      headers: { authorization: `Bearer ${instance.fixture.operatorToken}`, ...headers },
    });
  const told = async (path: string, question: HttpQuestion) => {
    const { status, json } = await ask(path, question);
    return [status, json?.['code']];
  };
  const agentNow = async () => {
    const { agent } = await instance.fixture.call<{ agent: Row }>('GetAgent', { agentId });
    return agent.agent as unknown as Record<string, unknown>;
  };
  const create = { prompt: 'Look at it', provisionEnabled: false };

  describe('that sets fields of others', () => {
    const assigned = {
      role: 'AGENT_ROLE_ORCHESTRATOR',
      epoch: 99,
      state: 'AGENT_STATE_IDLE',
      id: 'agt_mine',
      spawnedByAgentId: 'agt_x',
      hostId: 'hst_x',
      worktreePath: '/etc',
      archivedAt: '2026-11-21T09:00:00Z',
    };
    for (const channel of channels) {
      it(`sets none of them over ${channel.name}`, async () => {
        const before = await agentNow();
        for (const [field, value] of Object.entries(assigned)) {
          const request = { agentId, reason: String(before['reportedReason'] ?? ''), [field]: value };
          const outcome = await channel.call(asAgent(), rowOf('ReportReason'), request);
          // Over HTTP an unknown field is ignored, for clients that are newer; the others are strict.
          if (channel.name === 'HTTP') expect(codeOf(outcome), field).to.equal('answered');
          else expect(outcome, field).to.have.nested.property('refusal.message').that.contains(`no field ${field}`);
        }
        expect(await agentNow()).to.deep.equal(before);
      });
    }
  });

  describe('with a name', () => {
    const names = ['a.>', 'a b', 'a\r\nPUB x 1\r\n', '*', '$JS.API.>', '_INBOX.>', '../../etc', '`id`', '-h', 'a\0b'];
    for (const title of names) {
      it(`${JSON.stringify(title)} has no effect: the agent runs, and is found by its id`, async () => {
        const { id, name } = await instance.fixture.create({ ...create, workflowId, title });
        expect(id).to.match(/^agt_[A-Za-z0-9]+$/);
        expect(name).not.to.match(/\p{Cc}/u);
        await instance.fixture.host.bringUp(id);
        await instance.fixture.call('PromptAgent', { agentId: id, prompt: 'Go on' });
        expect(instance.fixture.host.typed.at(-1)).to.deep.equal(['prompt', { agentId: id, text: 'Go on' }]);
      });
      it(`${JSON.stringify(title)} in place of an id is refused, and reaches no other subject`, async () => {
        for (const channel of channels) {
          for (const method of ['GetAgent', 'PromptAgent', 'ReadPane']) {
            const request = { agentId: title, ...(method === 'PromptAgent' && { prompt: 'x' }) };
            expect(codeOf(await channel.call(person(), rowOf(method), request)), method).to.equal('not_found');
          }
        }
      });
    }
  });

  describe('with an idempotency key', () => {
    it('that repeats with another request returns the current agent, without effect', async () => {
      const first = { ...create, workflowId, idempotencyKey: 'again' };
      const ids = new Set<string>();
      for (const request of [
        first,
        { ...first, prompt: 'Something else' },
        { ...first, workflowId: 'wfl_none', dir: 'x' },
      ]) {
        for (const channel of channels) {
          const { answer } = (await channel.call(person(), rowOf('CreateAgent'), request)) as { answer: Row };
          ids.add(answer.agent.id);
          expect(answer.agent.prompt).to.equal('Look at it');
        }
      }
      expect(ids.size).to.equal(1);
    });

    const calls = timesOf('MUSTER_TEST_CALLS', 60, 1_000);
    it(`in ${calls} concurrent calls makes one agent`, async () => {
      const body = { ...create, workflowId, idempotencyKey: 'at once' };
      // Those that there is no room for at once are refused, and asked again.
      const asked = async (): Promise<Awaited<ReturnType<typeof ask>>> => {
        const answer = await ask(createAgent, { body });
        return answer.status === 429 ? asked() : answer;
      };
      const answers = await Promise.all(Array.from({ length: calls }, asked));
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
      expect(new Set(answers.map(({ json }) => (json as unknown as Row).agent.id)).size).to.equal(1);
    });

    for (const [what, idempotencyKey] of Object.entries({
      'of 10 kB': 'k'.repeat(10_000),
      'with NUL': 'a\0b',
      'with a line end': 'a\nb',
      'with an escape sequence': 'a\u001b[2J',
    })) {
      it(`${what} is refused, for an agent and for mail`, async () => {
        for (const channel of channels) {
          const agent = await channel.call(person(), rowOf('CreateAgent'), { ...create, workflowId, idempotencyKey });
          const mail = await channel.call(person(), rowOf('SendMail'), { agentId, body: 'x', idempotencyKey });
          for (const outcome of [agent, mail]) {
            expect(outcome).to.have.nested.property('refusal.code', 'invalid_argument');
            expect(outcome).to.have.nested.property('refusal.message').that.contains('idempotencyKey');
          }
        }
      });
    }
  });

  it('with a number that is invalid or rounded finds nothing', async () => {
    const numbers = [
      '9007199254740993',
      '"9007199254740993"',
      '9223372036854775808',
      '1e3',
      '"1e3"',
      '-1',
      '"1 OR 1=1"',
      '1.5',
      '0x1',
    ];
    for (const path of ['/host.v1.HostService/GetRunLog', '/host.v1.HostService/AcknowledgeRun']) {
      for (const number of numbers) {
        const { status, json, text } = await ask(path, { body: `{"id":${number}}` });
        expect([status, json?.['code']], number).to.deep.equal([400, 'invalid_argument']);
        expect(text, 'rounded').not.to.contain('9007199254740992');
      }
    }
  });

  describe('with a content type', () => {
    for (const type of someOf([
      'application/json\ta',
      'application/json garbage',
      'application/json; x',
      'application/json,text/plain',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=a',
    ])) {
      it(`${JSON.stringify(type)} gets 415, at every operation and for tools`, async () => {
        const paths = [...operations.map((row) => `/${pathOf(row)}`), '/mcp'];
        for (const path of paths) {
          const answer = await told(path, { headers: { 'content-type': type }, body: '{}' });
          // A parameter of JSON changes none of it for MCP.
          if (path === '/mcp' && type === 'application/json; x') continue;
          expect(answer, path).to.deep.equal([415, 'invalid_argument']);
        }
      });
    }
  });

  it('with prototype keys or repeated names is refused, for operations and for tools', async () => {
    const bodies = [
      '{"__proto__":{"role":"admin"}}',
      '{"constructor":{"prototype":{"role":"admin"}}}',
      '{"pagination":{"__proto__":{"pageSize":1}}}',
      '{"archived":true,"archived":false}',
      '{"pagination":{"pageSize":1,"pageSize":2}}',
      '{"\\u005f_proto__":{}}',
    ];
    for (const body of bodies) {
      expect(await told(listAgents, { body }), body).to.deep.equal([400, 'invalid_argument']);
      const tool = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_agents","arguments":${body}}}`;
      const { status } = await ask('/mcp', { body: tool, headers: { accept: 'application/json, text/event-stream' } });
      expect(status, body).to.equal(400);
    }
    expect(({} as Record<string, unknown>)['role']).to.equal(undefined);
  });

  describe('with its size', () => {
    const max = (fill: string) => JSON.stringify({ unknown: fill.repeat(maxRequestBytes - 14) });

    it('gets 413 one byte over the limit, for operations and for tools', async () => {
      expect(Buffer.byteLength(max('x'))).to.equal(maxRequestBytes);
      expect((await ask(listAgents, { body: max('x') })).status).to.equal(200);
      for (const path of [listAgents, '/mcp']) {
        expect(await told(path, { body: `${max('x')} ` }), path).to.deep.equal([413, 'resource_exhausted']);
      }
    });

    it('gets 413 if a small body inflates to a large one, before memory is allocated', async () => {
      const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 9 });
      const before = process.memoryUsage().rss;
      for (let count = 0; count < 5; count += 1) {
        const headers = { 'content-encoding': 'gzip' };
        expect(await told(listAgents, { headers, body: bomb })).to.deep.equal([413, 'resource_exhausted']);
      }
      expect(process.memoryUsage().rss - before).to.be.below(100 * 1024 * 1024);
      const tool = await ask('/mcp', { headers: { 'content-encoding': 'gzip' }, body: bomb });
      expect(tool.status, 'tools take no compression').to.be.within(400, 415);
    });

    it('is refused if it is 10,000 levels deep', async () => {
      for (const path of [listAgents, '/mcp']) {
        const { status } = await ask(path, { body: `{"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}` });
        expect(status, path).to.equal(400);
      }
    });

    for (const timeout of someOf(['99999999999', '-1', 'abc', '0x10', '1e3'])) {
      it(`gets a refusal for the deadline ${timeout}, at every operation`, async () => {
        for (const row of operations.filter(({ watch }) => watch === undefined)) {
          const answer = await told(`/${pathOf(row)}`, { headers: { 'connect-timeout-ms': timeout }, body: {} });
          expect(answer, row.method).to.deep.equal([400, 'invalid_argument']);
        }
      });
    }
  });
});
