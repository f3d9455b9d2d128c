import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkHealth } from '#service/child-health.ts';
import { Supervisor } from '#service/children.ts';
import { logProbe } from '#test/bus/log-probe.ts';
import { answersHttp } from '#world/net/http-probe.ts';
import { moment } from '../../support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const limits = { everyMs: 50, answerMs: 500, misses: 2, apartMs: 100 };
/** A child that answers HTTP. */
const server = `
  const server = require('node:http').createServer((request, response) => response.end('ok'));
  server.listen(0, '127.0.0.1', () => {
    process.send({ type: 'ready', url: 'http://127.0.0.1:' + server.address().port });
  });
`;

describe('the health of a child', () => {
  let place: TemporaryFolder;
  beforeEach(() => {
    place = temporaryFolder('health');
  });
  afterEach(() => place.remove());

  it('fails if it is suspended: it is ended, and started again', async () => {
    const log = logProbe();
    const supervisor = new Supervisor({ log, pause: 1, health: limits });
    const program = join(place.path, 'server.cjs');
    writeFileSync(program, server);
    const child = await supervisor.start({
      name: 'gateway',
      argv: [process.execPath, program],
      env: {},
      readiness: 'message',
      readyWithin: 20_000,
      answersHttp: true,
      pidFile: join(place.path, 'gateway.pid'),
    });
    process.kill(child.pid, 'SIGSTOP');
    expect(await child.exited).to.deep.equal({ status: null, signal: 'SIGKILL' });
    await moment(
      'it is started again',
      () => log.lines.filter((line) => line.startsWith('a child process is ready')).length === 2,
    );
    await supervisor.stop();
  });

  it('passes if it is late occasionally, and after sleep of the machine', async () => {
    const answers = [false, true, false, true, false, false];
    const asked: boolean[] = [];
    let now = 0;
    const ended = new AbortController();
    const subject = {
      name: 'gateway',
      answers: async () => {
        const answer = answers[asked.length] ?? true;
        asked.push(answer);
        // From the fifth on, this process was late itself.
        now += asked.length >= 5 ? 10 * limits.answerMs : limits.answerMs;
        if (asked.length === 8) ended.abort();
        return answer;
      },
      end: () => Promise.reject(new Error('it was ended')),
    };
    const clock = { now: () => now, sleep: async () => undefined };
    expect(await checkHealth(subject, { limits, afterMs: 0, clock, signal: ended.signal }, logProbe())).to.equal(false);
    expect(asked).to.have.length(8);
  });

  it('passes on any answer, even a refusal', async () => {
    const web = createServer((_request, response) => response.writeHead(503).end());
    const open = new Set<Socket>();
    const mute = createTcpServer((socket) => open.add(socket));
    for (const one of [web, mute]) await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
    const at = (one: typeof mute) => `http://127.0.0.1:${(one.address() as AddressInfo).port}/healthz`;
    expect(await answersHttp(at(web), 5_000)).to.equal(true);
    expect(await answersHttp(at(mute), 100)).to.equal(false);
    for (const socket of open) socket.destroy();
    web.close();
    mute.close();
  });
});
