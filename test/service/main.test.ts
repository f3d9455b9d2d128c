import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const muster = fileURLToPath(new URL('../../bin/muster', import.meta.url));

describe('the long-running commands', function () {
  this.timeout(20_000);
  let place: TemporaryFolder;
  let home: string;
  beforeEach(() => {
    place = temporaryFolder('main');
    home = join(place.path, 'home');
  });
  afterEach(() => place.remove());

  function run(args: readonly string[], environment: Record<string, string> = {}) {
    const env = { PATH: process.env['PATH'], MUSTER_HOME: home, MUSTER_PORT: '0', ...environment };
    return spawnSync(muster, args, { env, encoding: 'utf8', timeout: 15_000 });
  }

  for (const name of ['start', 'registry', 'host', 'gateway']) {
    it(`${name} shows its help, and refuses arguments, without starting anything`, () => {
      expect(run([name, '--help'])).to.deep.include({ status: 0 });
      const { status, stderr } = run([name, '--port', '80']);
      expect(status).to.equal(2);
      expect(stderr).to.include(`muster ${name} takes no arguments, and was given "--port 80"`);
      expect(existsSync(home)).to.equal(false);
    });
  }

  it('refuse a bad setting in words, with status 2', () => {
    const { status, stderr } = run(['start'], { MUSTER_BIND: '0.0.0.0' });
    expect(status).to.equal(2);
    expect(stderr).to.match(/^MUSTER_BIND is "0\.0\.0\.0".*\n$/);
  });

  for (const name of ['registry', 'host', 'gateway']) {
    it(`${name} says what it lacks where it has no bus, or no password for it`, () => {
      const alone = run([name]);
      expect(alone.status).to.equal(1);
      expect(alone.stderr).to.include('MUSTER_BUS_URL is unset').and.to.include('muster start');
      const unknown = run([name], { MUSTER_BUS_URL: 'nats://127.0.0.1:4' });
      expect(unknown.status).to.equal(1);
      expect(unknown.stderr).to.include('MUSTER_BUS_CREDENTIALS').and.to.include(`user ${name}`);
    });
  }
});
