import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { BusUser } from '#contract/access/bus-member.ts';
import { takeOwnerLock } from '#service/owner-lock.ts';
import { prepareStateFolder } from '#service/state-folder.ts';
import { startNatsServer, writeCredential } from '#test/bus/nats-fixture.ts';
import { bareEnvironment } from '#test/support/bare-environment.ts';
import { inSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const muster = fileURLToPath(new URL('../../../bin/muster', import.meta.url));

describe('the long-running commands', () => {
  let place: TemporaryFolder;
  let home: string;
  beforeEach(() => {
    place = temporaryFolder('main');
    home = join(place.path, 'home');
  });
  afterEach(() => place.remove());

  function run(args: readonly string[], environment: Record<string, string> = {}) {
    const env = { ...bareEnvironment(), MUSTER_HOME: home, MUSTER_PORT: '0', ...environment };
    return spawnSync(muster, args, { env, encoding: 'utf8', timeout: 60_000 });
  }

  for (const name of someOf(['start', 'registry', 'host', 'gateway'])) {
    it(`show the help of ${name}, and refuse arguments, without starting anything`, () => {
      expect(run([name, '--help'])).to.deep.include({ status: 0 });
      const { status, stderr } = run([name, '--port', '80']);
      expect(status).to.equal(2);
      expect(stderr).to.include(`muster ${name} takes no arguments, and was given "--port 80"`);
      expect(existsSync(home)).to.equal(false);
    });
  }

  it('refuse an invalid setting with status 2', () => {
    const { status, stderr } = run(['start'], { MUSTER_BIND: 'x' });
    expect(status).to.equal(2);
    expect(stderr).to.match(/^MUSTER_BIND is "x".*\n$/);
  });

  for (const name of someOf(['registry', 'host', 'gateway'], 2)) {
    it(`name what ${name} lacks without a bus or a credential`, () => {
      const alone = run([name]);
      expect(alone.status).to.equal(6);
      expect(alone.stderr).to.include('MUSTER_BUS_URL is unset').and.to.include('muster start');
      const unknown = run([name], { MUSTER_BUS_URL: 'nats://127.0.0.1:4' });
      expect(unknown.status).to.equal(6);
      expect(unknown.stderr).to.include(name === 'registry' ? 'MUSTER_BUS_KEYS' : `The ${name} needs a credential`);
    });
  }

  inSoak('end host with status 6 if the authority of its bus is unreadable', () => {
    const authority = join(place.path, 'none.pem');
    const { status, stderr } = run(['host'], { MUSTER_BUS_URL: 'tls://127.0.0.1:4', MUSTER_BUS_CA: authority });
    expect(stderr).to.include(`${authority} (MUSTER_BUS_CA) cannot be read (ENOENT)`);
    expect(status).to.equal(6);
  });

  for (const name of someOf(['registry', 'host'] as const, 1)) {
    it(`refuse ${name} with status 6 if another one has the state folder`, () => {
      const lock = takeOwnerLock(prepareStateFolder(home), name);
      try {
        const { status, stderr } = run([name]);
        expect(stderr).to.include(`muster ${name} already runs on ${home}: process ${process.pid} `);
        expect(status).to.equal(6);
      } finally {
        lock.release();
      }
    });
  }

  it('end gateway with status 6 if its port is taken', async () => {
    const bus = await startNatsServer(join(place.path, 'bus'));
    const holder = createServer().listen(0, '127.0.0.1');
    try {
      await once(holder, 'listening');
      const { port } = holder.address() as AddressInfo;
      const { status, stderr } = await runBeside('gateway', {
        MUSTER_PORT: String(port),
        MUSTER_BUS_URL: bus.url,
        MUSTER_BUS_CREDENTIALS: await writeCredential(join(place.path, 'gateway.creds'), bus.keys, { kind: 'gateway' }),
      });
      expect(stderr).to.include(`Port ${port} on 127.0.0.1 is taken by another program`);
      expect(status).to.equal(6);
    } finally {
      holder.close();
      await bus.stop(2_000);
    }
  });

  /** As `run`, while this process continues: what the command meets here must answer. */
  async function runBeside(name: BusUser, environment: Record<string, string>) {
    const env = { ...bareEnvironment(), MUSTER_HOME: home, ...environment };
    const child = spawn(muster, [name], { env, stdio: ['ignore', 'ignore', 'pipe'], timeout: 60_000 });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, stderr };
  }
});
