import { type DescMethodUnary, fromBinary, toJson } from '@bufbuild/protobuf';
import { ConnectError } from '@connectrpc/connect';
import { codeToString } from '@connectrpc/connect/protocol-connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { expect } from 'chai';
import { failureWith } from '#contract/details/failure-details.ts';
import { BadRequest, ErrorInfo } from '#contract/details/google-rpc.ts';
import { Failure } from '#contract/failure.ts';
import { failureReasons } from '#contract/reason/failure-reasons.ts';
import type { ReasonMeaning } from '#contract/reason/reason-meaning.ts';
import { operations } from '#contract/table.ts';
import { describeTable, methodOf } from '#gateway/proto/descriptors.ts';
import { runInside } from '#test/cli/command-line.ts';
import { someOf } from '#test/support/some-of.ts';
import { authorization, type GatewayFixture, gatewayFixture, token } from '../gateway-fixture.ts';

const rows = operations.filter((row) => row.method === 'GetAgent');
const [method] = rows.map((row) => methodOf(describeTable(rows, []), row) as DescMethodUnary);
const reasons = Object.entries<ReasonMeaning>(failureReasons).filter(([reason]) => reason !== 'UNKNOWN');

/** A refusal for each reason, as the registry makes it; every second one has a field, and every third two. */
function sampleOf([reason, { code, metadata = {} }]: (typeof reasons)[number], place: number): Failure {
  const violations = ['agentId', 'more.0.text']
    .slice(0, place % 3)
    .map((field) => ({ field, description: `${field} “no”` }));
  const told = Object.fromEntries(Object.keys(metadata).map((key) => [key, `${key}: ü ✓`]));
  const message = place % 3 === 1 ? 'agentId “no”' : `No, because of ${reason}`;
  return Failure.fromJSON({ code, message, reason, violations, metadata: told });
}

describe('a refusal on every channel', () => {
  let gateway: GatewayFixture;
  let refusal: Failure;
  before(async () => {
    gateway = await gatewayFixture({ throttle: { max: 1_000_000, withinMs: 60_000, pauseMs: 0 } });
    gateway.answer('GetAgent', () => {
      throw refusal;
    });
  });
  after(() => gateway.close());

  const headers = { authorization, 'content-type': 'application/json' };

  async function asked(transport: ReturnType<typeof createConnectTransport>): Promise<unknown> {
    if (method === undefined) throw new Error('the table has no GetAgent');
    try {
      await transport.unary(method, undefined, undefined, { authorization }, { agentId: 'agt_1' });
    } catch (error) {
      const { code, rawMessage, details } = ConnectError.from(error);
      const carried = details.flatMap((detail) => ('value' in detail && 'type' in detail ? [detail] : []));
      return failureWith({ code: codeToString(code), message: rawMessage, details: carried }).toJSON();
    }
    throw new Error('it was not refused');
  }

  async function overMcp(): Promise<unknown> {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_agent', arguments: { agentId: 'agt_1' } },
    };
    const accept = 'application/json, text/event-stream';
    const answer = await fetch(`${gateway.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, accept, 'mcp-protocol-version': '2025-11-25' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    const json = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as { result: { structuredContent: unknown } };
    return json.result.structuredContent;
  }

  it('has the same code, reason, field and metadata, for every reason', async () => {
    const baseUrl = gateway.url;
    const connect = createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: false });
    const grpcWeb = createGrpcWebTransport({ baseUrl, httpVersion: '1.1' });
    const grpc = createGrpcTransport({ baseUrl });
    for (const [place, reason] of someOf([...reasons.entries()])) {
      refusal = sampleOf(reason, place);
      const sent = refusal.toJSON();
      expect(await asked(connect), 'Connect').to.deep.equal(sent);
      expect(await asked(grpcWeb), 'gRPC-Web').to.deep.equal(sent);
      expect(await asked(grpc), 'gRPC').to.deep.equal(sent);
      expect(await overMcp(), 'MCP').to.deep.equal(sent);
    }
  });

  it('has them on the command line too, for every code', async () => {
    const env = { SERVICE_BASE_URL: gateway.url, SERVICE_TOKEN: token };
    const ofEachCode = new Map(reasons.map((reason, place) => [reason[1].code, sampleOf(reason, place)]));
    expect(ofEachCode.size).to.equal(16);
    for (const [code, sample] of ofEachCode) {
      refusal = sample;
      const { err } = await runInside(['rpc', 'get-agent', '--agent-id', 'agt_1', '-o', 'json'], { env });
      const { message: _said, ...printed } = JSON.parse(err) as { message: string };
      const { message: _sent, ...sent } = refusal.toJSON();
      expect(printed, code).to.deep.equal(sent);
    }
  });

  it('is in the HTTP body as google.rpc messages, which any client can read', async () => {
    refusal = new Failure('AGENT_NOT_FOUND', 'no', { field: 'agentId', metadata: { agentId: 'agt_1' } });
    const path = `${gateway.url}/agent.v1.AgentService/GetAgent`;
    const answer = await fetch(path, { method: 'POST', headers, body: '{"agentId":"agt_1"}' });
    const { details } = (await answer.json()) as { details: { type: string; value: string; debug: unknown }[] };
    const info = { reason: 'AGENT_NOT_FOUND', domain: 'muster', metadata: { agentId: 'agt_1' } };
    const bad = { fieldViolations: [{ field: 'agentId', description: 'no' }] };
    expect(details.map(({ type, debug }) => [type, debug])).to.deep.equal([
      ['google.rpc.ErrorInfo', info],
      ['google.rpc.BadRequest', bad],
    ]);
    const [first, second] = details.map(({ value }) => Buffer.from(value, 'base64'));
    expect(toJson(ErrorInfo, fromBinary(ErrorInfo, first ?? Buffer.of()))).to.deep.equal(info);
    expect(toJson(BadRequest, fromBinary(BadRequest, second ?? Buffer.of()))).to.deep.equal(bad);
  });

  it('of a request names each invalid field, wherever it is refused', async () => {
    const answer = await fetch(`${gateway.url}/agent.v1.AgentService/CreateAgent`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    const { details } = (await answer.json()) as { details: { debug: { fieldViolations?: { field: string }[] } }[] };
    expect(details[1]?.debug.fieldViolations?.map(({ field }) => field)).to.deep.equal(['prompt', 'workflowId']);
  });

  it('is complete before any operation was called', async () => {
    const body = (await (await fetch(`${gateway.url}/nowhere`)).json()) as { details: { debug: unknown }[] };
    expect(body.details[0]?.debug).to.deep.equal({ reason: 'NO_SUCH_PATH', domain: 'muster' });
    const page = await fetch(`${gateway.url}/mcp`, { method: 'POST', body: '{}' });
    expect(await page.text()).to.contain('CREDENTIAL_MISSING');
  });
});
