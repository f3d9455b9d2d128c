import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pageOf, topics } from '#cli/help/topics.ts';
import { runService, type WholeService } from '#test/cli/whole-service.ts';
import { call } from '#test/gateway/http-call.ts';
import { olderNode } from '#test/service/start/older-node.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type InstalledPackage, installGlobally, packMuster, type Tarball } from './installed-package.ts';

const maxBytes = 15_000_000;

describe('the npm package', function () {
  this.timeout(300_000);
  let place: TemporaryFolder;
  let tarball: Tarball;
  let installed: InstalledPackage;
  before(async () => {
    place = temporaryFolder('package');
    tarball = await packMuster(place.path);
    installed = await installGlobally(tarball.file, place.path);
  });
  after(() => place.remove());

  const muster = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawnSync(installed.muster, args, { cwd: '/', encoding: 'utf8', env: { ...installed.environment, ...env } });

  it('is small, and has neither sources nor what builds and tests it', () => {
    expect(tarball.bytes).to.be.below(maxBytes);
    const foreign = tarball.paths.filter((path) =>
      /\.tsx?$|^(?:test|bench|docs\/[^.]*|lint|deploy|proto)\/|\.cache/.test(path),
    );
    expect(foreign).to.deep.equal([]);
    expect(tarball.paths).to.include.members(topics.map((topic) => `docs/${pageOf(topic)}.md`));
    expect(tarball.paths).to.include.members(['LICENSE', 'README.md', 'bin/muster', 'dist/page/index.html']);
  });

  it('brings the library of SQLite alone, and node-pty where it can be built', () => {
    const names = readdirSync(join(installed.root, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(names.filter((name) => name !== 'node-pty')).to.deep.equal(['better-sqlite3', 'node-addon-api']);
  });

  it('runs from any folder, and has the files that commands read', () => {
    expect(muster(['--version']).stdout).to.match(/^\d+\.\d+\.\d+\n$/);
    expect(muster(['completion', 'bash']).stdout).to.include('complete');
    expect(muster(['rpc', 'create-agent', '--help']).stdout).to.include('--workflow-id');
    expect(muster(['new']).stderr).to.include('prompt');
    expect(muster(['nonsense']).status).to.equal(2);
  });

  it('says in one sentence that an older Node is too old', async function () {
    const older = await olderNode();
    if (older === undefined) return this.skip();
    const { status, stdout, stderr } = spawnSync(older.file, [join(installed.root, 'bin/muster.mjs')], {
      env: {},
      encoding: 'utf8',
    });
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.match(/^muster needs Node 24\.0\.0 or newer, and this is [\d.]+: install one[^\n]+\n$/);
    expect(muster(['--version'], { PATH: '/nowhere:/bin:/usr/bin' }).stderr).to.satisfy(
      (text: string) => text === '' || text.startsWith('muster needs Node 24'),
    );
  });

  describe('started', () => {
    let home: string;
    let service: WholeService;
    before(async () => {
      home = join(place.path, 'state');
      const settings = { ...installed.environment, MUSTER_HOME: home, MUSTER_PORT: '0', MUSTER_LOG: 'warn' };
      service = await runService(['start'], settings, /ready at (\S+)/, ([, , ...words]) => [
        installed.muster,
        ...words,
      ]);
    });
    after(async () => {
      await service?.end();
    });
    const person = () => ({ MUSTER_HOME: home, MUSTER_URL: service.url });

    it('serves its page', async () => {
      const { port } = new URL(service.url);
      const ask = (path: string) =>
        call({ port: Number(port) }, path, {
          method: 'GET',
          headers: { host: `muster.localhost:${port}`, accept: 'text/html', authorization: null },
        });
      const [, script = ''] = /<script [^>]*src="([^"]+)"/.exec((await ask('/')).text) ?? [];
      expect((await ask(new URL(script, service.url).pathname)).headers['content-type']).to.match(/javascript/);
    });

    it('runs agents, which find the command', async () => {
      const env = { ...installed.environment, ...person() };
      const seen = join(place.path, 'seen.txt');
      const launched = spawnSync(
        installed.muster,
        ['new', '--harness', 'shell', '--no-worktree', '--dir', place.path, `muster why > ${seen}`, '-o', 'json'],
        { cwd: place.path, encoding: 'utf8', env },
      );
      expect(launched.status, launched.stderr).to.equal(0);
      await moment(
        'the agent has asked about itself',
        () => existsSync(seen) && /IDLE|THINKING/.test(readFileSync(seen, 'utf8')),
      );
    });

    it('says what state machines look like, from its own files', () => {
      const { status, stdout, stderr } = muster(['graph', 'doorbell'], person());
      expect([status, stderr]).to.deep.equal([0, '']);
      expect(stdout).not.to.equal('');
    });

    inSoak('shows a fleet at work', () => {
      const { status, stderr } = muster(['demo'], person());
      expect(status, stderr).to.equal(0);
      expect(muster(['demo', '--clean'], person()).status).to.equal(0);
    });
  });

  inSoak('runs by npx', () => {
    const { stdout } = {
      stdout: execFileSync('npx', ['--yes', '--package', tarball.file, 'muster', '--version'], {
        encoding: 'utf8',
        cwd: place.path,
        env: {
          ...installed.environment,
          npm_config_omit: 'optional',
          npm_config_prefer_offline: 'true',
          npm_config_cache: join(homedir(), '.npm'),
        },
      }),
    };
    expect(stdout).to.match(/^\d+\.\d+\.\d+\n$/);
  });
});
