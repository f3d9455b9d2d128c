import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { argumentsOf, listProcesses } from '#world/process/process-tree.ts';
import { type Outcome, runInside, type Setting } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { fleetService } from '../fleet.ts';

describe('muster open', () => {
  let service: FakeService;
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = temporaryFolder('open');
    service = await fleetService();
    service.on('session.v1.SessionService/CreateSignInCode', () => ({
      oneTimeCode: 'abc',
      expiresAt: '2026-11-21T09:01:00Z',
    }));
  });
  afterEach(async () => {
    await service.close();
    folder.remove();
  });
  const muster = (argv: readonly string[], { env = {}, ...setting }: Setting = {}): Promise<Outcome> =>
    runInside(argv, { env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', ...env }, ...setting });

  /** What the page is called, beside whatever else runs on the machine. */
  const page = () => service.url.replace('127.0.0.1', 'muster.localhost');

  it('prints the address at the end of a tunnel, also from a port alone', async () => {
    const { code, out } = await muster(['open', '--print', '--port', '9000']);
    expect({ code, out }).to.deep.equal({ code: 0, out: 'http://muster.localhost:9000/#code=abc\n' });
    for (const port of ['0', '65536', 'http', '-1', '9e3']) {
      const { code: refused, err } = await muster(['open', `--port=${port}`]);
      expect([refused, err], port).to.satisfy(
        ([exit, said]: [number, string]) => exit === 2 && said.includes('a port from 1'),
      );
    }
  });

  it('uses the service’s configured name', async () => {
    const { out } = await muster(['open', '--print'], {
      env: { SERVICE_BASE_URL: service.url.replace('127.0.0.1', 'localhost') },
    });
    expect(out).to.equal(`${service.url.replace('127.0.0.1', 'localhost')}/#code=abc\n`);
  });

  it('prints an address with the code behind the #, and its validity', async () => {
    const { code, out, err } = await muster(['open']);
    expect({ code, out }).to.deep.equal({ code: 0, out: `${page()}/#code=abc\n` });
    expect(err).to.include('within 60 seconds');
  });

  it('opens the desktop’s browser in a terminal, and none with --print or without a desktop', async () => {
    const opened = join(folder.path, 'opened');
    const tools = join(folder.path, 'tools');
    mkdirSync(tools);
    for (const name of ['xdg-open', 'open']) {
      writeFileSync(join(tools, name), `#!/bin/sh\necho "$1" >> ${opened}\n`);
      chmodSync(join(tools, name), 0o755);
    }
    const home = join(folder.path, 'home');
    const env = { PATH: `${tools}:/usr/bin:/bin`, DISPLAY: ':0', MUSTER_HOME: home };
    await muster(['open', '--print'], { tty: true, env });
    await muster(['open'], { env });
    if (process.platform === 'linux') await muster(['open'], { tty: true, env: { PATH: env.PATH } });
    expect(existsSync(opened)).to.equal(false);
    const { err } = await muster(['open'], { tty: true, env });
    expect(err).to.equal('');
    await moment('the browser to be opened', () => existsSync(opened) && readFileSync(opened, 'utf8') !== '');
    const url = readFileSync(opened, 'utf8').trim();
    expect(url).to.include(`file://${home}/run/open-`).and.not.to.include('abc');
    expect(readFileSync(fileURLToPath(url), 'utf8')).to.include(`0;url=${page()}/#code=abc"`);
    expect(statSync(fileURLToPath(url)).mode & 0o777).to.equal(0o600);
    expect(statSync(join(home, 'run')).mode & 0o777).to.equal(0o700);
    // A shell that is about to run another program shows twice.
    const remover = await moment('it is to be removed', async () => {
      const waiting = (await listProcesses()).filter(({ pid }) => argumentsOf(pid).includes(fileURLToPath(url)));
      return waiting.length === 1 ? waiting[0] : undefined;
    });
    process.kill(-remover.pid);
  });
});
