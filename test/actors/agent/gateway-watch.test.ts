import { createServer, type RequestListener } from 'node:http';
import { expect } from 'chai';
import { GatewayWatch } from '#actors/host/serve/gateway-watch.ts';
import { logProbe } from '#test/bus/log-probe.ts';
import { testTimer } from '#test/support/test-timer.ts';
import { probeGateway } from '#world/net/gateway-probe.ts';

describe('the watch on the gateway’s address', () => {
  const url = 'http://127.0.0.1:7433';

  it('probes at the start and regularly, reports two failures in a row, and reports the recovery', async () => {
    const clock = testTimer();
    const log = logProbe();
    let fault: string | undefined;
    let tries = 0;
    const probe = async () => {
      tries += 1;
      return fault;
    };
    const watch = new GatewayWatch({ url, probe, clock, log });
    watch.start();
    await clock.pass(5);
    expect(watch.reach).to.deep.equal({ url });
    fault = 'nothing listens there (connection refused)';
    await clock.pass(30_000);
    expect({ tries, told: watch.reach.fault }).to.deep.equal({ tries: 2, told: undefined });
    await clock.pass(5_000);
    expect(watch.reach).to.deep.equal({ url, fault });
    await clock.pass(60_000);
    expect(log.lines).to.have.length(1);
    expect(log.lines[0]).to.include(url).and.to.include('connection refused').and.to.include('set MUSTER_URL');
    expect(await watch.check()).to.deep.include({ outcome: 'fail', found: `${url}: ${fault}` });
    fault = undefined;
    await clock.pass(5_000);
    expect(watch.reach).to.deep.equal({ url });
    expect(log.lines).to.have.length(2);
    expect(await watch.check()).to.deep.include({ outcome: 'ok', mend: '' });
    watch.stop();
  });

  async function probed(answer: RequestListener): Promise<string | undefined> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    try {
      return await probeGateway(`http://127.0.0.1:${port}`);
    } finally {
      server.close();
    }
  }

  /** An address without a listener. */
  async function deserted(): Promise<string> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    return `http://127.0.0.1:${port}`;
  }

  it('accepts an answer of muster, and reports silence and other programs', async () => {
    expect(await probed((_, reply) => void reply.end('{"status":"ok"}'))).to.equal(undefined);
    expect(await probed((_, reply) => void reply.end('<html>'))).to.equal('the server there is not muster (HTTP 200)');
    expect(await probed((_, reply) => void reply.writeHead(404).end('{"status":"ok"}'))).to.include('HTTP 404');
    const endless: RequestListener = (_, reply) => {
      const writing = setInterval(() => reply.write('x'.repeat(32_768)), 1);
      reply.once('close', () => clearInterval(writing));
    };
    expect(await probed(endless)).to.equal('the server there is not muster (HTTP 200)');
    expect(await probed((request) => void request.socket.destroy())).to.include('it cannot be reached');
    expect(await probeGateway(await deserted())).to.equal('nothing listens there (connection refused)');
    expect(await probeGateway('http://muster.invalid')).to.match(/its name cannot be resolved/);
  });
});
