import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Admission, type AdmissionLimits, releaseSlot } from '#gateway/http/admission.ts';
import { logProbe } from '#test/bus/log-probe.ts';
import { moment } from '#test/support/moment.ts';

const long = 3_600_000;
const usual: AdmissionLimits = { atOnce: 2, waiting: 3, ofOneCaller: 100, slowMs: long, underWay: 100 };

/** A request that was sent: what happened to it, and how to go away. */
interface Sent {
  readonly status: Promise<number>;
  leave(): void;
}

describe('the admission of calls', () => {
  let server: Server;
  let admission: Admission;
  let log: ReturnType<typeof logProbe>;
  let arrived: number;
  let sent: number;
  /** The paths of what was let in, in order, and how to answer each. */
  let begun: string[];
  let answers: Map<string, () => void>;

  const start = async (limits: Partial<AdmissionLimits> = {}): Promise<void> => {
    log = logProbe();
    [arrived, sent, begun, answers] = [0, 0, [], new Map()];
    admission = new Admission({ ...usual, ...limits }, log, (authorization) => !authorization.includes('unknown'));
    const guarded = admission.guard(({ url = '' }, response) => {
      begun.push(url);
      answers.set(url, () => response.end());
      if (url === '/watch') releaseSlot();
      if (url === '/') response.end();
    });
    server = createServer((asked, response) => {
      arrived += 1;
      guarded(asked, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  };
  const send = async (path: string, authorization: string | undefined = 'Bearer one'): Promise<Sent> => {
    const { port } = server.address() as AddressInfo;
    const status = Promise.withResolvers<number>();
    const headers = authorization === '' ? {} : { authorization };
    const asked = request({ host: '127.0.0.1', port, path, method: 'POST', agent: false, headers }, (answer) => {
      answer.resume();
      status.resolve(answer.statusCode ?? 0);
    });
    asked.on('error', () => status.resolve(0));
    asked.end();
    sent += 1;
    await moment(`${path} to arrive`, () => arrived === sent);
    return { status: status.promise, leave: () => asked.destroy() };
  };
  const answer = (path: string): void => {
    answers.get(path)?.();
    answers.delete(path);
  };
  const begins = (path: string) => moment(`${path} to begin`, () => begun.includes(path));
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('handles a limited number, queues a limited number in order, and refuses the rest', async () => {
    await start();
    for (const path of ['/a', '/b', '/c', '/d', '/e']) await send(path);
    expect(begun).to.deep.equal(['/a', '/b']);
    expect(await (await send('/f')).status).to.equal(429);
    answer('/b');
    await begins('/c');
    await send('/g');
    expect(await (await send('/h')).status).to.equal(429);
    for (const path of ['/a', '/c', '/d', '/e']) {
      await begins(path);
      answer(path);
    }
    await begins('/g');
    expect(begun).to.deep.equal(['/a', '/b', '/c', '/d', '/e', '/g']);
  });

  it('admits callers in turn, and lets none occupy all places', async () => {
    await start({ atOnce: 1, waiting: 10, ofOneCaller: 4 });
    for (const path of ['/a', '/b', '/c', '/d']) await send(path);
    expect(await (await send('/refused')).status).to.equal(429);
    for (const path of ['/x', '/y']) await send(path, 'Bearer two');
    await send('/z', 'Bearer three');
    const order = ['/a', '/b', '/x', '/z', '/c', '/y', '/d'];
    for (const path of order) {
      await begins(path);
      answer(path);
    }
    expect(begun).to.deep.equal(order);
  });

  it('counts all callers without a verified token as one', async () => {
    await start({ atOnce: 1, waiting: 10, ofOneCaller: 2 });
    for (const path of ['/a', '/b']) await send(path, `Bearer unknown${path}`);
    expect(await (await send('/refused', 'Bearer unknown too')).status).to.equal(429);
    await send('/c', 'Bearer one');
    for (const path of ['/a', '/b', '/c']) {
      await begins(path);
      answer(path);
    }
  });

  it('drops a disconnected caller, waiting or running', async () => {
    await start({ atOnce: 1, waiting: 2 });
    const first = await send('/a');
    const second = await send('/b');
    await send('/c');
    second.leave();
    await moment('there is room again', async () => {
      const one = await send('/d');
      const status = await Promise.race([one.status, new Promise((resolve) => setImmediate(resolve))]);
      return status === undefined;
    });
    first.leave();
    await begins('/c');
    expect(begun).to.deep.equal(['/a', '/c']);
  });

  it('reserves places for others next to slow calls, which are limited', async () => {
    await start({ atOnce: 1, waiting: 0, slowMs: 5, underWay: 3 });
    for (const path of ['/a', '/b', '/c']) {
      await moment('it is let in', async () => {
        if (begun.includes(path)) return true;
        const { status } = await send(path);
        return (await Promise.race([status, begins(path).then(() => 200)])) === 200;
      });
    }
    expect(await (await send('/d')).status).to.equal(429);
    answer('/b');
    await moment('one less is under way', async () => {
      const { status } = await send('/e');
      return (await Promise.race([status, begins('/e').then(() => 200)])) === 200;
    });
  });

  it('makes room besides idle watches', async () => {
    await start({ atOnce: 1, waiting: 0, underWay: 1 });
    await send('/watch');
    await send('/a');
    expect(begun).to.deep.equal(['/watch', '/a']);
    answer('/watch');
    answer('/a');
    await moment('nothing is counted twice', async () => {
      const { status } = await send('/b');
      return (await Promise.race([status, begins('/b').then(() => 200)])) === 200;
    });
    expect(await (await send('/c')).status, 'one at once, and no more').to.equal(429);
  });

  it('always admits requests without a caller, and health checks', async () => {
    await start({ atOnce: 0, waiting: 0 });
    await send('/a', '');
    await send('/healthz');
    await send('/');
    expect(begun).to.deep.equal(['/a', '/healthz', '/']);
    expect(await (await send('/b')).status).to.equal(429);
  });

  it('refuses early only what it would refuse after parsing', async () => {
    await start({ atOnce: 2, waiting: 1, ofOneCaller: 2 });
    const asked = (more: object) =>
      admission.refusalOf({ path: '/f', authorization: 'Bearer one', contentType: 'application/json', ...more });
    expect([admission.mayRefuse(), asked({})]).to.deep.equal([false, undefined]);
    for (const path of ['/a', '/b']) await send(path);
    expect(admission.mayRefuse()).to.equal(true);
    expect(String(asked({}))).to.match(/^HTTP\/1\.1 429 (?:.|\s)*resource_exhausted/);
    expect(String(asked({ contentType: 'application/grpc-web+proto' }))).to.match(
      /^HTTP\/1\.1 200 (?:.|\s)*grpc-status: 8/,
    );
    expect(asked({ authorization: 'Bearer two' }), 'another has room').to.equal(undefined);
    for (const path of ['/', '/healthz']) expect(asked({ path }), path).to.equal(undefined);
    expect(asked({ contentType: 'text/plain' }), 'no call has it').to.equal(undefined);
    expect(log.lines.join(''), 'and says so in the log').to.include('more calls arrive than can be handled');
  });

  it('admits everything eventually', async () => {
    await start();
    for (const path of ['/a', '/b', '/c', '/d', '/e']) await send(path);
    admission.open();
    expect(begun).to.deep.equal(['/a', '/b', '/c', '/d', '/e']);
  });

  it('logs refusals, but not each one', async () => {
    await start({ atOnce: 0, waiting: 0 });
    for (const path of ['/a', '/b', '/c']) await (await send(path)).status;
    expect(log.lines).to.have.length(1);
    expect(log.lines[0]).to.include('more calls arrive than can be handled');
  });
});
