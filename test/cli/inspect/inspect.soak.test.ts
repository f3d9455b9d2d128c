import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createWebSocketReceiver } from '@statelyai/inspect';
import { expect } from 'chai';
import { WebSocket as Receiver } from 'ws';
import { createMachine } from 'xstate';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type Outcome, runInside, type Setting } from '../command-line.ts';
import { startService, type WholeService } from '../whole-service.ts';

/** What a receiver hears, with what the tests look at. */
interface Heard {
  readonly type: string;
  readonly sessionId: string;
  readonly rootId: string;
  readonly createdAt: string;
  readonly _version: string;
  readonly name?: string;
  readonly definition?: string;
  readonly event?: { readonly type: string };
  readonly snapshot?: { readonly status: string; readonly value: unknown; readonly context: object };
}

/** `muster inspect` at work. */
interface Inspecting {
  readonly url: string;
  end(): Promise<Outcome>;
}

describe('muster inspect', () => {
  let home: TemporaryFolder;
  let service: WholeService | undefined;
  const running: Inspecting[] = [];
  const env = () => ({ MUSTER_HOME: home.path, MUSTER_URL: service?.url ?? '', NO_COLOR: '1' });
  const muster = (argv: readonly string[], setting: Setting = {}): Promise<Outcome> =>
    runInside(argv, { env: env(), ...setting });
  const rows = async () => JSON.parse((await muster(['ls', '--all', '-o', 'json'])).out) as AgentRow[];
  const agent = async (name: string) => (await rows()).find((row) => row.agent?.name === name)?.agent;
  const launch = async (name: string) => {
    expect((await muster(['new', `echo ${name}`, '-w', 'play', '--title', name])).code).to.equal(0);
    await moment(`${name} to rest`, async () => (await agent(name))?.state === 'AGENT_STATE_IDLE');
    return (await agent(name))?.id ?? '';
  };
  const inspect = async (...argv: string[]): Promise<Inspecting> => {
    const stop = new AbortController();
    const printed = Promise.withResolvers<string>();
    const onOut = (out: string) => out.endsWith('\n') && printed.resolve(out.trim());
    const ended = muster(['inspect', ...argv], { signal: stop.signal, onOut });
    const url = await Promise.race([printed.promise, ended.then(({ err }) => Promise.reject(new Error(err)))]);
    const end = () => {
      stop.abort();
      return ended;
    };
    running.push({ url, end });
    return { url, end };
  };
  const attach = (server: string): Heard[] => {
    const heard: Heard[] = [];
    createWebSocketReceiver({ server }).subscribe((event) => void heard.push(event as unknown as Heard));
    return heard;
  };

  before(async () => {
    home = temporaryFolder('inspect');
    mkdirSync(join(home.path, 'project'));
    service = await startService(home.path);
    const where = ['--cwd', join(home.path, 'project'), '--no-provision-enabled', '--harness', 'shell'];
    expect((await muster(['workflow', 'create', 'play', ...where])).code).to.equal(0);
  });
  afterEach(() => Promise.all(running.splice(0).map(({ end }) => end())));
  after(async () => {
    await service?.end();
    home.remove();
  });

  it('reports a live agent and each of its transitions to Stately’s own receiver', async () => {
    const id = await launch('mover');
    const { url, end } = await inspect();
    const heard = attach(url);
    const of = (type: string) => heard.filter((one) => one.sessionId === `agent:${id}` && one.type === type);
    await moment('the agent as it stands', () => of('@xstate.snapshot').length > 0);
    const [actor] = of('@xstate.actor');
    expect(actor).to.include({ name: 'mover', rootId: `agent:${id}`, _version: '0.7.2' });
    expect(Number(actor?.createdAt)).to.be.above(Date.UTC(2026));
    expect(of('@xstate.snapshot')[0]?.snapshot).to.deep.include({ status: 'active', value: { live: 'idle' } });

    expect((await muster(['archive', 'mover'])).code).to.equal(0);
    await moment('the move', () => of('@xstate.event').some(({ event }) => event?.type === 'ARCHIVE'));
    const archive = await moment('where it led', () =>
      of('@xstate.snapshot').find(({ event }) => event?.type === 'ARCHIVE'),
    );
    expect(archive.snapshot).to.deep.include({ value: 'archiving', context: {} });
    expect(of('@xstate.actor')).to.have.length(1);
    // The definition makes the machine that the values are values of.
    const machine = createMachine(JSON.parse(actor?.definition ?? ''));
    for (const { snapshot } of of('@xstate.snapshot')) machine.resolveState({ value: snapshot?.value as string });
    expect(await end()).to.include({ code: 0 });
  });

  inSoak('reports a life from its beginning, and on request all that it remembers; of the named alone', async () => {
    await launch('other');
    const id = await launch('named');
    const [plain, whole] = [await inspect('--machine', 'agent'), await inspect('named', '--context')];
    const [every, one] = [attach(plain.url), attach(whole.url)];
    await moment('both to be told', () => every.length >= 4 && one.length >= 2);
    for (const { snapshot } of every) expect(snapshot?.context ?? {}).to.deep.equal({});
    expect(one[1]?.snapshot?.context).to.include({ name: 'named' });
    await launch('late');
    const late = (await agent('late'))?.id;
    const first = every.filter(({ sessionId }) => sessionId === `agent:${late}`).slice(0, 3);
    expect(first.map(({ type }) => type)).to.deep.equal(['@xstate.actor', '@xstate.event', '@xstate.snapshot']);
    expect(first[0]?.name).to.equal('late');
    expect((await muster(['hold', 'named'])).code).to.equal(0);
    const held = await moment('the hold', () => one.find(({ event }) => event?.type === 'HOLD'));
    expect(held.sessionId).to.equal(`agent:${id}`);
    expect((await muster(['unhold', 'named'])).code).to.equal(0);
    expect(new Set(one.map(({ sessionId }) => sessionId))).to.deep.equal(new Set([`agent:${id}`]));
  });

  inSoak('waits for a receiver that is slow, leaves nothing out for it, and keeps no other waiting', async () => {
    const id = await launch('busy');
    const { url, end } = await inspect('busy');
    const quick = attach(url);
    const slow = new Receiver(url);
    const late: Heard[] = [];
    slow.on('message', (text) => void late.push(JSON.parse(String(text)) as Heard));
    const events = (heard: readonly Heard[]) =>
      heard.flatMap(({ type, event }) => (type === '@xstate.event' && event ? [event.type] : []));
    await moment('both to be told', () => quick.length >= 2 && late.length >= 2);
    slow.pause();
    for (let times = 0; times < 3; times += 1) {
      for (const order of ['hold', 'unhold']) expect((await muster([order, 'busy'])).code).to.equal(0);
    }
    const wanted = ['HOLD', 'UNHOLD', 'HOLD', 'UNHOLD', 'HOLD', 'UNHOLD'];
    const orders = (heard: readonly Heard[]) => events(heard).filter((type) => wanted.includes(type));
    await moment('the quick one to have heard', () => orders(quick).length === wanted.length);
    expect(orders(late)).to.deep.equal([]);
    slow.resume();
    await moment('the slow one to have heard', () => orders(late).length === wanted.length);
    expect(orders(late)).to.deep.equal(wanted);
    expect(late.every(({ sessionId }) => sessionId === `agent:${id}`)).to.equal(true);

    slow.pause();
    const began = performance.now();
    expect(await end(), 'a receiver that takes nothing holds nobody up').to.include({ code: 0 });
    expect(performance.now() - began).to.be.below(5_000);
  });

  inSoak(
    'continues after a restart of the service, for whoever was attached and whoever attached meanwhile',
    async () => {
      const id = await launch('restarted');
      const { url, end } = await inspect('--machine', 'agent', '--context');
      const before = attach(url);
      const told = (heard: readonly Heard[], event: string) =>
        heard.filter((one) => one.sessionId === `agent:${id}` && one.event?.type === event).length > 0;
      await moment('the agent', () => before.some(({ sessionId }) => sessionId === `agent:${id}`));
      const { port } = new URL(service?.url ?? '');
      await service?.stop();
      const meanwhile = attach(url);
      service = await startService(home.path, port);
      await moment('the agent, for the other', () => meanwhile.some(({ sessionId }) => sessionId === `agent:${id}`));
      expect((await muster(['hold', 'restarted'])).code).to.equal(0);
      await moment('the move', () => told(before, 'HOLD') && told(meanwhile, 'HOLD'));
      expect(
        before.filter(({ sessionId, type }) => sessionId === `agent:${id}` && type === '@xstate.actor'),
      ).to.have.length(1);
      expect((await muster(['unhold', 'restarted'])).code).to.equal(0);
      const { code, err } = await end();
      expect(code).to.equal(0);
      expect(err).to.include('muster is back');
    },
  );

  it('refuses callers without the address, and pages that are not allowed', async () => {
    const { url } = await inspect();
    const own = await inspect('--origin', 'https://tools.example', 'https://more.example');
    expect(new URL(url).hostname).to.equal('127.0.0.1');
    const secret = new URL(url).pathname;
    expect(secret.length).to.be.above(32);
    const other = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`;
    for (const path of ['/', '', other, `${secret}/`, secret.slice(0, -1)]) {
      expect(await answered(`ws://${new URL(url).host}${path}`), path).to.equal(404);
    }
    const foreign = [
      'https://evil.example',
      'null',
      'https://stately.ai.evil.example',
      'http://localhost.evil.example',
    ];
    for (const origin of foreign) expect(await answered(url, origin), origin).to.equal(403);
    for (const origin of [undefined, 'https://stately.ai', 'http://localhost:5173', 'http://[::1]:80']) {
      expect(await answered(url, origin), origin).to.equal(101);
    }
    expect(await answered(own.url, 'https://more.example')).to.equal(101);
    expect(await answered(own.url, 'https://stately.ai')).to.equal(403);
    expect((await fetch(url.replace('ws:', 'http:'))).status).to.equal(404);
    // Node's own client is let in as well.
    const native = new WebSocket(url);
    await new Promise((resolve, reject) => Object.assign(native, { onmessage: resolve, onerror: reject }));
    native.close();
  });

  it('refuses instances that it cannot serve', async () => {
    const { url } = await inspect();
    const taken = await muster(['inspect', '--port', new URL(url).port]);
    expect([taken.code, taken.err]).to.deep.equal([
      6,
      `port ${new URL(url).port} is not available: choose another, or --port 0 for any\n`,
    ]);
    expect((await muster(['inspect', 'nobody'])).code).to.equal(4);
    for (const wrong of [
      ['--port', '70000'],
      ['--origin', 'example.org'],
      ['x', '--machine', 'sweep'],
    ]) {
      expect((await muster(['inspect', ...wrong])).code, wrong.join(' ')).to.equal(2);
    }
    expect((await muster(['inspect'], { env: { ...env(), MUSTER_URL: 'http://127.0.0.1:1' } })).code).to.equal(9);
  });
});

/** The status that a request to attach is answered with. */
function answered(url: string, origin?: string): Promise<number | undefined> {
  const receiver = new Receiver(url, origin === undefined ? {} : { origin });
  return new Promise((resolve, reject) => {
    receiver.once('open', () => {
      receiver.close();
      resolve(101);
    });
    receiver.once('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode);
    });
    receiver.on('error', reject);
  });
}
