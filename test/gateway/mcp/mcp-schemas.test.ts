import type { CallToolResult, Client, Tool } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { toolName } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { someOf } from '#test/support/some-of.ts';
import { type GatewayFixture, gatewayFixture } from '../gateway-fixture.ts';
import { connectOverHttp } from '../mcp-client.ts';
import { sampleOf } from '../sample-message.ts';

type Json = Record<string, unknown>;
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** One value of each kind that JSON has, some of which look like others. */
const everyKind: readonly unknown[] = [
  null,
  true,
  'true',
  2,
  '3',
  2.5,
  -1,
  1e30,
  'x',
  '',
  [],
  ['x'],
  [null],
  [[]],
  {},
  { x: 1 },
];

/** The arguments with another value at one place, for each place that the schema has, however deep. */
function* mutants(schema: Schema, given: unknown): Generator<unknown> {
  yield* everyKind;
  if (schema.items !== undefined && Array.isArray(given)) {
    for (const one of mutants(schema.items, given[0])) yield [one, ...given.slice(1)];
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const known = (given ?? {}) as Json;
    for (const one of mutants(field, known[name])) yield { ...known, [name]: one };
  }
  if (schema.properties !== undefined) yield { ...(given as Json), unheardOf: 1 };
}

describe('the schemas of MCP’s tools', function () {
  this.timeout(180_000);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  let gateway: GatewayFixture;
  let client: Client;
  let tools: readonly Tool[];
  before(async () => {
    gateway = await gatewayFixture();
    client = await connectOverHttp(gateway.url, '2026-07-28');
    ({ tools } = await client.listTools());
  });
  after(async () => {
    await client.close();
    await gateway.close();
  });

  it('refuse exactly what they declare, at every field of every tool, without a call', async () => {
    let refused = 0;
    for (const row of someOf(operations, 0, 16)) {
      const tool = tools.find(({ name }) => name === toolName(row));
      if (tool === undefined) throw new Error(`${toolName(row)} is not listed`);
      const fits = ajv.compile(tool.inputSchema);
      const sample = { ...sampleOf(row.request), ...(row.watch ? { timeoutSeconds: 1 } : {}) };
      expect(fits(sample), `${tool.name}: ${JSON.stringify(fits.errors)}`).to.equal(true);
      gateway.calls.length = 0;
      const wrong = [...mutants(tool.inputSchema as Schema, sample)].filter((one) => isObject(one) && !fits(one));
      expect(wrong, tool.name).not.to.have.length(0);
      const answers: CallToolResult[] = [];
      for (let at = 0; at < wrong.length; at += 16) {
        const some = wrong.slice(at, at + 16);
        const asked = some.map((given) => client.callTool({ name: tool.name, arguments: given as Json }));
        answers.push(...((await Promise.all(asked)) as CallToolResult[]));
      }
      for (const [at, { isError, structuredContent }] of answers.entries()) {
        const given = wrong[at];
        const said = `${tool.name} ${JSON.stringify(given).slice(0, 300)}`;
        expect([isError, (structuredContent as Json | undefined)?.['code']], said).to.deep.equal([
          true,
          'invalid_argument',
        ]);
        refused += 1;
      }
      expect(gateway.calls.length, tool.name).to.equal(0);
    }
    expect(refused).to.be.above(100);
  });

  it('explain errors clearly', async () => {
    const tries: readonly (readonly [string, Json, RegExp])[] = [
      ['list_agents', { view: 2 }, /^view .*(given: 2)/],
      [
        'create_review_thread',
        { agentId: 'agt_1', filePath: 'a', body: 'b', newStart: '3' },
        /^newStart has the wrong type/,
      ],
      ['list_agents', { view: 'VIEW_UNSPECIFIED' }, /view/],
      ['get_agent', { agentId: null }, /^agentId/],
      ['list_agents', { nobodyHasThis: 1 }, /there is no field nobodyHasThis/],
      ['watch_agents', { timeoutSeconds: null }, /^timeoutSeconds/],
    ];
    for (const [name, given, wanted] of tries) {
      const { structuredContent } = (await client.callTool({ name, arguments: given })) as CallToolResult;
      expect((structuredContent as Json)['message'], JSON.stringify(given)).to.match(wanted);
    }
  });

  it('match the answers', async () => {
    for (const row of someOf(operations)) {
      const { outputSchema, name } = tools.find((tool) => tool.name === toolName(row)) as Tool;
      const fits = ajv.compile((outputSchema ?? {}) as object);
      for (const answer of [sampleOf(row.response), {}]) {
        gateway.answer(row.method, () => answer);
        const timeout = row.watch ? { timeoutSeconds: 1 } : {};
        const asked = { name, arguments: { ...sampleOf(row.request), ...timeout } };
        if (row.watch !== undefined && Object.keys(answer).length === 0) continue;
        const { structuredContent, isError } = (await client.callTool(asked)) as CallToolResult;
        expect(isError, name).not.to.equal(true);
        expect(fits(structuredContent), `${name}: ${JSON.stringify(fits.errors)}`).to.equal(true);
      }
    }
  });
});

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
