import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { ownPrograms } from '#world/process/own-programs.ts';

interface ReceivedReport {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: { reason: string; sessionId?: string; reportedAt: string };
}

describe('a hook’s report', () => {
  let server: Server;
  const received: ReceivedReport[] = [];
  beforeEach(async () => {
    received.length = 0;
    server = createServer(async (request, response) => {
      const { url: path, headers } = request;
      const body = JSON.parse(await text(request)) as ReceivedReport['body'];
      received.push({ path, authorization: headers.authorization, body });
      response.end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = (more: object = {}) => ({
    PATH: process.env['PATH'],
    TMPDIR: process.env['TMPDIR'],
    SERVICE_TOKEN: 'mst_secret',
    SERVICE_BASE_URL: address(),
    ...more,
  });
  const hook = (args: readonly string[], input: string, more: object = {}) =>
    spawnSync(ownPrograms.report, args, { input, env: environment(more), encoding: 'utf8' });
  const reported = (many: number) => moment(`${many} reports`, () => received.length >= many);

  it('is made from the payload, with the agent’s own token, without a proxy', async () => {
    const before = Date.now();
    const payload = { tool_name: 'Bash', session_id: 'ses_1', error: { name: 'two\n lines' } };
    const proxies = { HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: 'http://127.0.0.1:1' };
    const args = ['asks for {tool_name} {error.name} {none}{constructor}', 'session_id'];
    const { status, stdout, stderr } = hook(args, JSON.stringify(payload), proxies);
    expect([status, stdout, stderr]).to.deep.equal([0, '', '']);
    await reported(1);
    const [{ path, authorization, body } = {} as ReceivedReport] = received;
    expect(path).to.equal('/agent.v1.AgentService/ReportReason');
    expect(authorization).to.equal('Bearer mst_secret');
    expect(body).to.deep.include({ reason: 'asks for Bash two lines', sessionId: 'ses_1' });
    expect(Date.parse(body.reportedAt)).to.be.within(before, Date.now());
  });

  it('is cut to its limit, and sent without a payload too', async () => {
    hook(['{message}', 'session_id'], JSON.stringify({ message: '🧪'.repeat(501) }));
    hook(['done', 'session_id'], 'no JSON');
    await reported(2);
    const reasons = received.map(({ body }) => body.reason).toSorted();
    expect(reasons).to.deep.equal(['done', '🧪'.repeat(500)]);
    for (const { body } of received) expect(body).not.to.have.property('sessionId');
  });

  it('preserves the order of hooks, whichever arrives first', async () => {
    const words = Array.from({ length: 8 }, (_, at) => `${at}`);
    for (const word of words) hook([word], '{}');
    await reported(words.length);
    const inOrder = received.toSorted((one, other) => one.body.reportedAt.localeCompare(other.body.reportedAt));
    expect(inOrder.map(({ body }) => body.reason)).to.deep.equal(words);
  });

  it('neither delays nor disturbs the CLI if muster is down or missing', async () => {
    const { promise: never, resolve: asked } = Promise.withResolvers<void>();
    server.removeAllListeners('request');
    server.on('request', () => asked());
    const start = performance.now();
    for (const more of [{}, { SERVICE_BASE_URL: 'http://127.0.0.1:1' }, { SERVICE_BASE_URL: 'what' }]) {
      expect(hook(['done'], '{}', more)).to.deep.include({ status: 0, stdout: '', stderr: '' });
    }
    // Each returns in some milliseconds; what it has started may take five seconds.
    expect(performance.now() - start).to.be.lessThan(3_000);
    await never;
  });

  it('is not sent outside an agent’s pane', async () => {
    expect(hook(['done'], '{}', { SERVICE_TOKEN: '' })).to.deep.include({ status: 0, stdout: '', stderr: '' });
    hook(['working'], '{}');
    await reported(1);
    expect(received.map(({ body }) => body.reason)).to.deep.equal(['working']);
  });

  describe('of opencode', () => {
    /** Runs the plugin as opencode does, and gives it events. */
    const run = async (events: readonly object[], more: object = {}): Promise<string> => {
      const script = `
        const { MusterReports } = await import(${JSON.stringify(pathToFileURL(ownPrograms.plugin).href)});
        const { event } = await MusterReports({});
        for (const one of JSON.parse(process.argv[1])) await event?.({ event: one });
        console.log(event === undefined ? 'silent' : 'heard', process.env.MUSTER_REPORTS_OF === String(process.pid));
      `;
      const args = ['--input-type=module', '--eval', script, JSON.stringify(events)];
      const child = spawn(process.execPath, args, { env: environment(more), stdio: ['ignore', 'pipe', 'inherit'] });
      return (await text(child.stdout)).trim();
    };
    const status = (sessionID: string, type: string) => ({
      type: 'session.status',
      properties: { sessionID, status: { type } },
    });

    it('reports each event once, and ignores the conversation of a subagent', async () => {
      const events = [
        status('ses_1', 'busy'),
        status('ses_1', 'busy'),
        { type: 'session.created', properties: { info: { id: 'ses_2', parentID: 'ses_1' } } },
        status('ses_2', 'busy'),
        { type: 'permission.asked', properties: { sessionID: 'ses_2', permission: 'bash' } },
        { type: 'session.idle', properties: { sessionID: 'ses_2' } },
        { type: 'session.idle', properties: { sessionID: 'ses_1' } },
        { type: 'session.updated' },
        { type: 'of another version' },
      ];
      expect(await run(events)).to.equal('heard true');
      await reported(3);
      const said = received.map(({ body }) => [body.reason, body.sessionId]).toSorted();
      expect(said).to.deep.equal([
        ['asks permission: bash', 'ses_1'],
        ['done', 'ses_1'],
        ['working', 'ses_1'],
      ]);
    });

    it('reports no interrupted or failed turn as done', async () => {
      const aborted = { name: 'MessageAbortedError', data: { message: 'Aborted' } };
      await run([
        { type: 'session.error', properties: { sessionID: 'ses_1', error: aborted } },
        { type: 'session.idle', properties: { sessionID: 'ses_1' } },
      ]);
      await reported(1);
      expect(received.map(({ body }) => body.reason)).to.deep.equal(['interrupted']);
    });

    it('is empty for a child process of the agent', async () => {
      expect(await run([status('ses_9', 'busy')], { MUSTER_REPORTS_OF: '1' })).to.equal('silent false');
    });
  });
});
