import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';

/** A span as OTLP carries it, and the process that it came from. */
interface Span {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status?: { readonly code?: number };
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly { readonly key: string; readonly value: { stringValue?: string } }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<Span, 'service'>[] }[];
  }[];
}

const createAgent = 'agent.v1.AgentService/CreateAgent';

describe('traces', function () {
  this.timeout(90_000);
  let collector: Server;
  let pieces: Pieces;
  const spans: Span[] = [];
  before(async () => {
    collector = createServer((request, response) => {
      expect(request.url).to.equal('/v1/traces');
      void json(request).then((body) => {
        for (const { resource, scopeSpans } of (body as Export).resourceSpans) {
          const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
          for (const { spans: found } of scopeSpans) spans.push(...found.map((span) => ({ ...span, service })));
        }
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    pieces = await setUpPieces(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    for (const piece of ['registry', 'host', 'gateway'] as const) await pieces.start(piece);
  });
  after(async () => {
    await pieces.stop();
    collector.closeAllConnections();
    await new Promise((resolve) => collector.close(resolve));
  });

  const ancestorsOf = (span: Span): string[] => {
    const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
    return parent === undefined ? [] : [parent.name, ...ancestorsOf(parent)];
  };

  it('lead from a call over the bus and the commit to the window that it opens, over three processes', async () => {
    const { workflows } = await pieces.call<{ workflows: { id: string }[] }>(
      'workflow.v1.WorkflowService/ListWorkflows',
      {},
    );
    // The first workflow is of the folder that the tests run in, which is not theirs to make worktrees of.
    const request = { workflowId: workflows[0]?.id, prompt: 'true', harness: 'shell', provisionEnabled: false };
    await pieces.call(createAgent, request);
    await moment('the window’s span', () => spans.some(({ name }) => name === 'effect openWindow'), 40_000);
    const opened = spans.find(({ name }) => name === 'effect openWindow');
    const names = () => (opened === undefined ? [] : ancestorsOf(opened));
    await moment('all that it came of', () => names().at(-1) === createAgent, 20_000);
    expect(names()).to.include('rpc.agent.v1.AgentService.CreateAgent').and.include('commit');
    const own = spans.filter(({ traceId }) => traceId === opened?.traceId);
    const call = own.find(({ name }) => name === createAgent);
    expect(call?.parentSpanId || undefined).to.equal(undefined);
    expect(new Set(own.map(({ service }) => service))).to.deep.equal(
      new Set(['muster-gateway', 'muster-registry', 'muster-host']),
    );
  });

  it('go on from a caller’s own, and tell what failed', async () => {
    const [traceId, parentId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
    const token = readFileSync(`${pieces.home}/operator.token`, 'utf8').trim();
    const answer = await fetch(`${pieces.url}/agent.v1.AgentService/GetAgent`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        traceparent: `00-${traceId}-${parentId}-01`,
      },
      body: JSON.stringify({ agentId: 'agt_none' }),
    });
    expect(answer.status).to.equal(404);
    await moment(
      'the call’s span',
      () => spans.some((span) => span.traceId === traceId && span.parentSpanId === parentId),
      10_000,
    );
    const call = spans.find((span) => span.traceId === traceId && span.parentSpanId === parentId);
    expect([call?.name, call?.status?.code]).to.deep.equal(['agent.v1.AgentService/GetAgent', 2]);
  });
});
