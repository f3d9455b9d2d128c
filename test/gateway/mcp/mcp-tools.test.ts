import type { CallToolResult, Client, Tool } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import type { RoleName } from '#contract/access/caller.ts';
import { reviewGuides } from '#contract/agent/review-guide.ts';
import { idempotencyKey } from '#contract/idempotency-key.ts';
import { meaningsOf } from '#contract/message.ts';
import { type Operation, pathOf, toolName } from '#contract/operation.ts';
import { CreateAgentRequest } from '#contract/operations/create-agent.ts';
import { operations } from '#contract/table.ts';
import { refusalWith } from '#test/support/failure.ts';
import { someOf } from '#test/support/some-of.ts';
import { type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { call } from '../http-call.ts';
import { connectOverHttp, everyEra } from '../mcp-client.ts';
import { sampleOf } from '../sample-message.ts';
import { errorOf, openStream } from '../stream-call.ts';

/** What an operation answers, or the code and message of its refusal. */
type Outcome = Record<string, unknown>;

const roles: readonly RoleName[] = ['implementer', 'reviewer', 'orchestrator'];
/** What differs of two calls that are the same: when each arrived, and what was left of its time then. */
const ownTimes = { at: 0, timeoutMs: 0 };
/**
 * What a list of tools may take of an agent's context. A token of such JSON is more than three bytes long: mostly about
 * four.
 */
const maxTokens = 7_000;
/** Reviewers and orchestrators have more tools. */
const maxTokensOfLeads = 8_000;
const bytesOfToken = 3;

describe('the tools of MCP', () => {
  let gateway: GatewayFixture;
  const clients: Client[] = [];
  before(async () => {
    // What one channel was answered does not serve the other.
    gateway = await gatewayFixture({ answersKept: { size: 0, ageMs: 0 } });
  });
  after(() => gateway.close());
  afterEach(async () => {
    gateway.actAs({ kind: 'person' });
    for (const client of clients.splice(0)) await client.close();
  });

  async function connect(era = everyEra[0] ?? '2025'): Promise<Client> {
    const client = await connectOverHttp(gateway.url, era);
    clients.push(client);
    return client;
  }

  async function overMcp(client: Client, row: Operation, request: object): Promise<Outcome> {
    const { structuredContent, content, isError } = await client.callTool({
      name: toolName(row),
      arguments: { ...request, ...(row.watch ? { timeoutSeconds: 1 } : {}) },
    });
    const [text] = content;
    if (isError !== true) expect(text).to.deep.equal({ type: 'text', text: JSON.stringify(structuredContent) });
    return structuredContent as Outcome;
  }

  async function overHttp(row: Operation, request: object): Promise<Outcome> {
    if (row.watch === undefined) return (await call(gateway, `/${pathOf(row)}`, { body: request })).json ?? {};
    const stream = await openStream(gateway, `/${pathOf(row)}`, request);
    const frame = await stream.next();
    await stream.close();
    return frame?.end === true ? errorOf(frame) : (frame?.json ?? {});
  }

  for (const [which, era] of everyEra.entries()) {
    const tried = someOf(operations, which, everyEra.length);
    describe(`to a client of ${era}`, () => {
      it('are the operations of the table, with the same answers as over HTTP', async () => {
        const client = await connect(era);
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).to.deep.equal(operations.map(toolName));
        for (const row of tried) {
          gateway.answer(row.method, () => sampleOf(row.response));
          const request = sampleOf(row.request);
          gateway.calls.length = 0;
          const [mcp, http] = [await overMcp(client, row, request), await overHttp(row, request)];
          expect(mcp, row.method).to.deep.equal(http);
          expect(mcp, row.method).to.deep.equal(sampleOf(row.response));
          const [first, second] = gateway.calls;
          expect(first?.request, row.method).to.deep.equal(request);
          expect({ ...first, ...ownTimes }, row.method).to.deep.equal({ ...second, ...ownTimes });
        }
      });

      it('return the code and message of a refusal, as over HTTP', async () => {
        const client = await connect(era);
        for (const row of tried) {
          gateway.answer(row.method, () => {
            throw refusalWith('failed_precondition', `${row.method} does not go: mend it`);
          });
          const request = sampleOf(row.request);
          const refused = await overMcp(client, row, request);
          expect(refused, row.method).to.deep.equal(await overHttp(row, request));
          expect(refused).to.deep.equal({
            code: 'failed_precondition',
            message: `${row.method} does not go: mend it`,
          });
        }
      });
    });
  }

  it('explain a refusal in text, for a model that reads no structure', async () => {
    const client = await connect();
    gateway.answer('GetAgent', () => {
      throw refusalWith('not_found', 'There is no agent agt_1');
    });
    expect(await client.callTool({ name: 'get_agent', arguments: { agentId: 'agt_1' } })).to.deep.include({
      isError: true,
      content: [{ type: 'text', text: 'not_found: There is no agent agt_1' }],
    });
  });

  describe('are strict', () => {
    const refusals: readonly (readonly [what: string, name: string, given: Record<string, unknown>, said: RegExp])[] = [
      ['an unknown argument', 'list_agents', { archivd: true }, /no field archivd: did you mean archived\?/],
      ['an argument in snake_case', 'create_agent', { workflow_id: 'w' }, /did you mean workflowId\?/],
      ['an unknown one inside a message', 'list_agents', { pagination: { page: 2 } }, /no field pagination\.page/],
      ['an unknown name of a value', 'list_agents', { view: 'BOGUS' }, /view .*VIEW_SUMMARY.*"BOGUS"/],
      ['a missing argument', 'get_agent', {}, /agentId is missing/],
      ['an empty required one', 'get_agent', { agentId: '' }, /agentId is missing/],
      ['a wrong type', 'list_agents', { archived: 'yes' }, /archived .*boolean/],
      ['too long a text', 'rename_agent', { agentId: 'a', name: 'x'.repeat(201) }, /201 characters/],
      ['too long a wait', 'watch_agents', { timeoutSeconds: 51 }, /timeoutSeconds is more than 50/],
      ['a wait of nothing', 'watch_agents', { timeoutSeconds: 0 }, /timeoutSeconds/],
    ];
    for (const [what, name, given, said] of refusals) {
      it(`about ${what}`, async () => {
        const client = await connect();
        gateway.calls.length = 0;
        const { isError, structuredContent } = (await client.callTool({ name, arguments: given })) as CallToolResult;
        const { code, message } = structuredContent as { code: string; message: string };
        expect([isError, code]).to.deep.equal([true, 'invalid_argument']);
        expect(message).to.match(said);
        expect(gateway.calls).to.deep.equal([]);
      });
    }

    it('and treat an empty value as unset', async () => {
      const client = await connect();
      gateway.answer('ListAgents', () => ({}));
      gateway.calls.length = 0;
      await client.callTool({ name: 'list_agents', arguments: { pagination: {}, archived: false } });
      expect(gateway.calls[0]?.request).to.deep.equal({ pagination: {} });
    });

    it('and distinguish false from unset where that matters', async () => {
      const client = await connect();
      gateway.calls.length = 0;
      gateway.answer('CreateAgent', () => ({}));
      const given = { prompt: 'p', workflowId: 'w', provisionEnabled: false };
      await client.callTool({ name: 'create_agent', arguments: given });
      expect(gateway.calls[0]?.request).to.deep.equal(given);
    });

    it('and suggest the nearest tool for an unknown name', async () => {
      const client = await connect();
      const refusal = await client.callTool({ name: 'list_agnts', arguments: {} }).catch((error: unknown) => error);
      expect(refusal).to.include({ code: -32602, message: 'There is no tool "list_agnts": did you mean list_agents?' });
    });
  });

  describe('in a list', () => {
    const listedFor = async (role: RoleName): Promise<Tool[]> => {
      gateway.actAs({ kind: 'agent', agentId: 'agt_1', role });
      return (await (await connect()).listTools()).tools;
    };

    for (const role of roles) {
      it(`for an agent with the role ${role} are those of its role, in the order of the table`, async () => {
        const offered = operations.filter((row) => row.roles.includes(role)).map(toolName);
        expect((await listedFor(role)).map(({ name }) => name)).to.deep.equal(offered);
        expect(offered.length).to.be.lessThan(operations.length);
      });

      const tokensOfRole = role === 'implementer' ? maxTokens : maxTokensOfLeads;
      it(`for an agent with the role ${role} take less than ${tokensOfRole} tokens of its context`, async () => {
        const tools = await listedFor(role);
        const sizes = tools.map((tool) => [Buffer.byteLength(JSON.stringify(tool)), tool.name] as const);
        const largest = sizes.toSorted(([one], [other]) => other - one).slice(0, 5);
        const tokens = Math.ceil(Buffer.byteLength(JSON.stringify(tools)) / bytesOfToken);
        expect(tokens, `bytes of the largest: ${largest.map((one) => one.join(' ')).join(', ')}`).to.be.below(
          tokensOfRole,
        );
      });
    }

    it('declare whether they change anything', async () => {
      const { tools } = await (await connect()).listTools();
      for (const [place, row] of operations.entries()) {
        // As MCP reads what is left out; of a tool that only reads the two others say nothing.
        const {
          readOnlyHint = false,
          destructiveHint = true,
          idempotentHint = false,
        } = tools[place]?.annotations ?? {};
        expect(readOnlyHint, row.method).to.equal(row.access === 'read');
        if (readOnlyHint) continue;
        expect(destructiveHint, row.method).to.equal(row.destructive === true);
        expect(idempotentHint, row.method).to.equal(row.idempotent);
      }
      for (const [place, row] of operations.entries()) {
        expect(tools[place]?.description).to.include(row.summary).and.to.include(row.guidance);
      }
    });

    it('accept only the request’s fields, with their limits', async () => {
      const { tools } = await (await connect()).listTools();
      const schemaOf = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema;
      expect(schemaOf('create_agent')).to.deep.include({
        type: 'object',
        required: ['prompt', 'workflowId'],
        additionalProperties: false,
      });
      const { prompt, harness, role, provisionEnabled } = schemaOf('create_agent')?.properties ?? {};
      const means = meaningsOf(CreateAgentRequest);
      expect(prompt).to.deep.equal({ type: 'string', minLength: 1, maxLength: 50_000, description: means.prompt });
      expect(harness).to.deep.include({ type: 'string', maxLength: 40, pattern: '^[a-z0-9-]*$' });
      expect(provisionEnabled).to.deep.equal({ type: 'boolean', description: means.provisionEnabled });
      expect(role).to.deep.equal({
        type: 'string',
        description: means.role,
        enum: ['AGENT_ROLE_IMPLEMENTER', 'AGENT_ROLE_REVIEWER', 'AGENT_ROLE_ORCHESTRATOR'],
      });
      expect(schemaOf('watch_agents')?.properties).to.have.all.keys('cursor', 'view', 'factKinds', 'timeoutSeconds');
      const ofAgents = (await listedFor('orchestrator')).find(({ name }) => name === 'watch_agents');
      expect(ofAgents?.inputSchema['properties']).to.have.all.keys('cursor', 'view', 'timeoutSeconds');
      expect(ofAgents?.outputSchema?.['properties']).to.have.all.keys('agents', 'goneAgentIds', 'cursor', 'more');
      for (const { name, inputSchema, outputSchema } of tools) {
        expect(inputSchema, name)
          .to.include({ additionalProperties: false })
          .and.not.to.have.any.keys('$schema', '$defs');
        expect(outputSchema, name).to.include({ type: 'object' }).and.not.to.have.any.keys('additionalProperties');
      }
    });
  });

  it('explain each field: in full to a person, once to an agent', async () => {
    const fieldsIn = (schema: Tool['inputSchema']): [string, string | undefined][] =>
      Object.entries((schema.properties ?? {}) as Record<string, Tool['inputSchema']>).flatMap(([name, field]) => [
        [name, field['description'] as string | undefined],
        ...fieldsIn((field['items'] ?? field) as Tool['inputSchema']),
      ]);
    const ofPerson = (await (await connect()).listTools()).tools;
    for (const { name, inputSchema } of ofPerson) {
      for (const [field, said] of fieldsIn(inputSchema)) {
        if (field !== 'timeoutSeconds') expect(said, `${name} ${field}`).to.match(/\w/);
      }
    }
    for (const role of roles) {
      gateway.actAs({ kind: 'agent', agentId: 'agt_1', role });
      const client = await connect();
      const once = client.getInstructions() ?? '';
      expect(once).to.include(`idempotencyKey (optional): ${idempotencyKey[1]}`);
      for (const { name, description, inputSchema } of (await client.listTools()).tools) {
        for (const [field, said] of fieldsIn(inputSchema)) {
          const isNamed =
            new RegExp(`\\b${field}\\b`).test(description ?? '') || once.includes(`${field} (optional): `);
          if (!isNamed && !once.includes(`${field}: `)) expect(said, `${name} ${field} of ${role}`).to.match(/\w/);
        }
      }
    }
  });

  it('come with the caller’s identity', async () => {
    expect((await connect()).getInstructions())
      .to.match(/for the person/)
      .and.not.include('review');
    gateway.actAs({ kind: 'agent', agentId: 'agt_7', role: 'reviewer', parentAgentId: 'agt_1' });
    for (const era of everyEra) {
      expect((await connect(era)).getInstructions()).to.match(
        /agent agt_7, with the role reviewer, a child of agt_1\./,
      );
    }
  });

  it('come with the caller’s part in reviews, which no prompt contains', async () => {
    for (const [role, guide] of [
      ['implementer', reviewGuides.AGENT_ROLE_IMPLEMENTER],
      ['reviewer', reviewGuides.AGENT_ROLE_REVIEWER],
    ] as const) {
      gateway.actAs({ kind: 'agent', agentId: 'agt_7', role });
      const client = await connect();
      expect(client.getInstructions()).to.include(`Call claim_doorbells when a line notifies you. ${guide}`);
      const offered = (await client.listTools()).tools.map(({ name }) => name);
      for (const [tool] of guide.matchAll(/[a-z]+_[a-z_]+/g)) expect(offered, role).to.include(tool);
    }
    gateway.actAs({ kind: 'agent', agentId: 'agt_7', role: 'orchestrator' });
    expect((await connect()).getInstructions()).not.to.include('list_review_threads');
  });
});
