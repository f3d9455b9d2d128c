import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { connectOverHttp } from '#test/gateway/mcp-client.ts';
import { moment } from '#test/support/moment.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { inSoak } from '#test/support/soak.ts';
import { type Collector, type Span, startCollector } from './otlp-collector.ts';

const run = promisify(execFile);
const muster = fileURLToPath(new URL('../../bin/muster', import.meta.url));
const createAgent = 'agent.v1.AgentService/CreateAgent';

/** A trace that an external caller has begun. */
function newTrace(sampled = true) {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${sampled ? '01' : '00'}` };
}

async function startAll(pieces: Pieces): Promise<void> {
  for (const piece of ['registry', 'host', 'gateway'] as const) await pieces.start(piece);
}

function tokenOf({ home }: Pieces): string {
  return readFileSync(join(home, 'operator.token'), 'utf8').trim();
}

/** Calls an operation as the person, once, with a trace; gives the answer's status. */
async function callWith(pieces: Pieces, method: string, request: object, traceparent: string): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokenOf(pieces)}`, traceparent };
  const answer = await fetch(`${pieces.url}/${method}`, { method: 'POST', headers, body: JSON.stringify(request) });
  await answer.arrayBuffer();
  return answer.status;
}

/** A launch that needs no worktree. The first workflow is of the folder that the tests run in, which is not theirs. */
async function launchOf(pieces: Pieces): Promise<{ workflowId: string; prompt: string; harness: string }> {
  const { workflows } = await pieces.call<{ workflows: { id: string }[] }>(
    'workflow.v1.WorkflowService/ListWorkflows',
    {},
  );
  return { workflowId: workflows[0]?.id ?? '', prompt: 'true', harness: 'shell' };
}

describe('traces', () => {
  let collector: Collector;
  let pieces: Pieces;
  before(async () => {
    collector = await startCollector();
    pieces = await setUpPieces(undefined, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=muster-tests',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,team=fleet',
    });
    await startAll(pieces);
  });
  after(async () => {
    await pieces.stop();
    await collector.close();
  });

  const openedIn = (traceId: string) => collector.of(traceId).find(({ name }) => name === 'effect openWindow');
  const ancestorsOf = (span: Span): string[] => {
    const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
    return parent === undefined ? [] : [parent.name, ...ancestorsOf(parent)];
  };
  /** Waits until a trace leads from a call to the window that it opened; gives the spans' components and the call. */
  const wholeTrace = async ({ traceId, spanId }: ReturnType<typeof newTrace>) => {
    const opened = await moment('the window’s span', () => openedIn(traceId));
    await moment('all that it came of', () => ancestorsOf(opened).at(-1) === createAgent);
    expect(ancestorsOf(opened)).to.include('rpc.agent.v1.AgentService.CreateAgent').and.include('commit');
    const call = collector.of(traceId).find(({ name }) => name === createAgent);
    expect(call?.parentSpanId).to.equal(spanId);
    const components = new Set(collector.of(traceId).map(({ resource }) => resource['muster.component']));
    expect(components).to.deep.equal(new Set(['gateway', 'registry', 'host']));
  };

  it('lead from the gateway over the bus and the commit to the window, with their process names', async () => {
    await pieces.call(createAgent, { ...(await launchOf(pieces)), provisionEnabled: false });
    const opened = await moment('the window’s span', () =>
      collector.spans.find(({ name }) => name === 'effect openWindow'),
    );
    await moment('all that it came of', () => ancestorsOf(opened).at(-1) === createAgent);
    const call = collector.of(opened.traceId).find(({ name }) => name === createAgent);
    expect(call?.parentSpanId || undefined).to.equal(undefined);
    expect(call?.resource).to.include({ 'service.name': 'muster-gateway', team: 'fleet' });
    expect(opened.resource).to.include({ 'service.name': 'muster-host', 'deployment.environment.name': 'test' });
    expect(collector.headers['x-tenant']).to.equal('muster-tests');
    expect(collector.faults).to.deep.equal([]);
  });

  it('continue a caller’s own over HTTP, also if the host was restarted before it opened the window', async () => {
    const trace = newTrace();
    const [begun, goOn] = ['begun', 'go-on'].map((name) => join(pieces.home, name));
    const setup = `touch ${begun}; until [ -e ${goOn} ]; do sleep 0.1; done`;
    const { workflow } = await pieces.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', {
      name: 'held up',
      cwd: pieces.repository,
      harness: 'shell',
      provisionEnabled: true,
      scripts: { setup },
    });
    const request = { workflowId: workflow.id, prompt: 'true' };
    expect(await callWith(pieces, createAgent, request, trace.traceparent)).to.equal(200);
    await moment('its setup is under way', () => existsSync(begun ?? ''));
    // What a process has not sent when it is killed is lost with it.
    await moment('what came before is sent', () =>
      collector.of(trace.traceId).some(({ name }) => /^decide/.test(name)),
    );
    await pieces.kill('host');
    writeFileSync(goOn ?? '', '');
    expect(openedIn(trace.traceId)).to.equal(undefined);
    await pieces.start('host');
    await wholeTrace(trace);
  });

  inSoak('continue from the environment of a command', async () => {
    const trace = newTrace();
    const env = { ...process.env, MUSTER_HOME: pieces.home, MUSTER_URL: pieces.url, TRACEPARENT: trace.traceparent };
    const workflow = `commanded-${trace.spanId}`;
    await run(muster, ['workflow', 'create', workflow, '--cwd', pieces.repository, '--harness', 'shell'], { env });
    await run(muster, ['new', '--workflow', workflow, 'true'], { env });
    await wholeTrace(trace);
  });

  inSoak('continue from an MCP call’s _meta, else from its header', async () => {
    const launch = await launchOf(pieces);
    const [inMeta, inHeader] = [newTrace(), newTrace()];
    const client = await connectOverHttp(pieces.url, '2025', tokenOf(pieces), { traceparent: inHeader.traceparent });
    try {
      const call = { name: 'create_agent', arguments: { ...launch, provisionEnabled: false } };
      await client.callTool({ ...call, _meta: { traceparent: inMeta.traceparent } });
      await client.callTool(call);
    } finally {
      await client.close();
    }
    await wholeTrace(inMeta);
    await wholeTrace(inHeader);
  });

  it('record failures, and skip unsampled callers', async () => {
    const [failed, unsampled] = [newTrace(), newTrace(false)];
    const nobody = { agentId: 'agt_none' };
    expect(await callWith(pieces, 'agent.v1.AgentService/GetAgent', nobody, unsampled.traceparent)).to.equal(404);
    expect(await callWith(pieces, 'agent.v1.AgentService/GetAgent', nobody, failed.traceparent)).to.equal(404);
    const call = await moment('the call’s span', () =>
      collector.of(failed.traceId).find(({ parentSpanId }) => parentSpanId === failed.spanId),
    );
    expect([call.name, call.status?.code]).to.deep.equal(['agent.v1.AgentService/GetAgent', 2]);
    // It came first, so it would have been sent by now, at the latest with the spans of the registry.
    await moment('the registry’s span', () => collector.of(failed.traceId).length > 1);
    expect(collector.of(unsampled.traceId)).to.deep.equal([]);
  });

  inSoak('cost no call anything if the collector hangs', async () => {
    collector.hang();
    const took: number[] = [];
    for (let count = 0; count < 40; count += 1) {
      const started = performance.now();
      const status = await callWith(pieces, 'agent.v1.AgentService/ListAgents', {}, newTrace().traceparent);
      took.push(performance.now() - started);
      expect(status).to.equal(200);
    }
    expect(Math.max(...took)).to.be.below(1_500);
    for (const piece of ['gateway', 'host', 'registry'] as const) {
      const started = performance.now();
      await pieces.halt(piece);
      expect(performance.now() - started, `how long ${piece} took to stop`).to.be.below(6_000);
    }
  });
});

describe('the tracing library', () => {
  let pieces: Pieces | undefined;
  afterEach(() => pieces?.stop());

  /**
   * Starts the registry with variables; gives whether it loaded the module that brings the library, and what it logged.
   */
  async function loads(settings: Readonly<Record<string, string>>): Promise<{ loaded: boolean; log: string }> {
    const hook = (file: string) =>
      `import { registerHooks } from 'node:module'; import { writeFileSync } from 'node:fs';` +
      `registerHooks({ resolve(name, context, next) {` +
      ` if (/[/]tracing(?!-setting)/.test(name)) writeFileSync(${JSON.stringify(file)}, ''); return next(name, context); } });`;
    const environment: Record<string, string> = { ...settings };
    pieces = await setUpPieces(undefined, environment);
    const [mark, file] = [join(pieces.home, 'loaded'), join(pieces.home, 'hook.mjs')];
    writeFileSync(file, hook(mark));
    environment['NODE_OPTIONS'] = `--import ${file}`;
    environment['MUSTER_LOG'] = 'warn';
    await pieces.start('registry');
    const logFile = join(pieces.home, 'logs/registry.jsonl');
    const log = existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
    return { loaded: existsSync(mark), log };
  }

  it('is loaded if traces are requested', async () => {
    const { loaded } = await loads({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    expect(loaded).to.equal(true);
  });

  inSoak('is not loaded otherwise', async () => {
    expect(await loads({})).to.include({ loaded: false, log: '' });
  });

  inSoak('is not loaded where what is asked for is not spoken, which the log says', async () => {
    const { loaded, log } = await loads({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    });
    expect(loaded).to.equal(false);
    expect(log).to.include('no traces are sent').and.include('OTEL_EXPORTER_OTLP_PROTOCOL is \\"grpc\\"');
  });
});
