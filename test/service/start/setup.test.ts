import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { inSoak } from '#test/support/soak.ts';
import { isAtLeast } from '#world/requirements.mjs';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
/** The files of setup, which runs before any package is installed. */
const files = [
  'bin/setup.mjs',
  'bin/oldest-node.mjs',
  'bin/page-state.mjs',
  'bin/program-state.mjs',
  'src/world/requirements.mjs',
  'src/world/program/find-program.mjs',
  'src/world/install-programs.mjs',
];

describe('setup', () => {
  inSoak('is silent if nothing is missing', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(repository, 'bin/setup.mjs')], {
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).to.deep.equal({ status: 0, stdout: '', stderr: '' });
  });

  describe('in a checkout of its own', () => {
    let place: TemporaryFolder;
    let path: string;
    beforeEach(() => {
      place = temporaryFolder('setup');
      for (const folder of ['bin', 'src/world/program', 'tools'])
        mkdirSync(join(place.path, folder), { recursive: true });
      for (const file of files) {
        copyFileSync(join(repository, file), join(place.path, file));
      }
      write('package-lock.json', lockOf('1.0.0'));
      // A fake npm that records its calls, and installs what setup checks for.
      write(
        'npm.js',
        `
        const { appendFileSync, mkdirSync, symlinkSync, copyFileSync, rmSync } = require('node:fs');
        appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
        if (process.env.NPM_FAILS) process.exit(1);
        mkdirSync('node_modules/.bin', { recursive: true });
        copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
        rmSync('node_modules/.bin/node', { force: true });
        symlinkSync(process.env.NPM_NODE, 'node_modules/.bin/node');`,
      );
      tool('git', 'echo git version 2.40.1');
      tool('nats-server', 'echo nats-server: v2.9.10');
      tool('tmux', 'echo tmux 3.3a');
      path = `${join(place.path, 'tools')}:/usr/bin:/bin`;
    });
    afterEach(() => place.remove());

    const write = (name: string, text: string): void => writeFileSync(join(place.path, name), text);
    const read = (name: string): string =>
      existsSync(join(place.path, name)) ? readFileSync(join(place.path, name), 'utf8') : '';
    const lockOf = (version: string): string =>
      JSON.stringify({
        packages: { '': {}, 'node_modules/a': { version }, 'node_modules/b': { version, optional: true } },
      });
    const npmCalls = (): string[] => read('npm-calls').split('\n').filter(Boolean);

    function tool(name: string, script: string): void {
      const file = join(place.path, 'tools', name);
      writeFileSync(file, `#!/bin/sh\n${script}\n`);
      chmodSync(file, 0o755);
    }

    function setup(
      environment: Record<string, string> = {},
      ...args: string[]
    ): { status: number | null; stderr: string } {
      const env = { PATH: path, npm_execpath: join(place.path, 'npm.js'), NPM_NODE: process.execPath, ...environment };
      const { status, stderr } = spawnSync(process.execPath, [join(place.path, 'bin/setup.mjs'), ...args], {
        env,
        encoding: 'utf8',
      });
      return { status, stderr };
    }

    /** A fake apt-get that records its calls and installs tmux 3.4 on the call of that number. */
    function aptGet(bringsOnCall: number): void {
      const calls = join(place.path, 'apt-calls');
      tool(
        'apt-get',
        `echo "RUNLEVEL=$RUNLEVEL $*" >> ${calls}
        [ "$(wc -l < ${calls})" -ge ${bringsOnCall} ] || exit 100
        printf '#!/bin/sh\\necho tmux 3.4\\n' > ${join(place.path, 'tools/tmux')}`,
      );
      tool('sudo', '[ "$1" = -n ] && shift; exec "$@"');
    }

    it('installs packages once, and again after a change of the lock', () => {
      expect(setup()).to.deep.equal({ status: 0, stderr: 'muster: installing npm packages …\n' });
      expect(setup()).to.deep.equal({ status: 0, stderr: '' });
      expect(npmCalls()).to.have.length(1);
      expect(npmCalls()[0]).to.match(/^ci --include=dev /);
      write('package-lock.json', lockOf('1.0.1'));
      setup();
      expect(npmCalls()).to.have.length(2);
    });

    it('accepts packages that a person installed with npm', () => {
      setup();
      write('package-lock.json', lockOf('1.0.1'));
      write(
        'node_modules/.package-lock.json',
        JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.1' } } }),
      );
      expect(setup()).to.deep.equal({ status: 0, stderr: '' });
    });

    it('installs Node 24 if npm omitted it, or reports that it cannot', () => {
      tool('old-node', 'echo v20.20.2');
      const { status, stderr } = setup({ NPM_NODE: join(place.path, 'tools/old-node') });
      expect(status).to.equal(1);
      expect(stderr).to.include('did not bring Node 24.0.0');
      expect(npmCalls().map((call) => call.split(' ')[0])).to.deep.equal(['ci', 'rebuild']);
    });

    it('names the failed command if npm fails', () => {
      const { status, stderr } = setup({ NPM_FAILS: '1' });
      expect(status).to.equal(1);
      expect(stderr).to.include('`npm ci ').and.to.include(place.path);
    });

    it('replaces a program that is too old, without starting services', () => {
      tool('tmux', 'echo tmux 3.1c');
      aptGet(1);
      expect(setup().stderr).to.include('installing tmux');
      expect(read('apt-calls')).to.equal('RUNLEVEL=1 -qq -y install --no-install-recommends tmux\n');
      expect(setup()).to.deep.equal({ status: 0, stderr: '' });
    });

    describe('for the tests', () => {
      /** A fake apt-get that records its calls, and installs the requested packages unless one is unknown to it. */
      function aptGetWithout(unknown: string): void {
        const tools = join(place.path, 'tools');
        tool(
          'apt-get',
          `echo "$*" >> ${join(place.path, 'apt-calls')}
          case " $* " in *" ${unknown} "*) exit 100;; esac
          for one in $*; do
            [ $one != bubblewrap ] || one=bwrap
            case $one in chromium*|openssl|bwrap|socat) echo > ${tools}/$one; chmod +x ${tools}/$one;; esac
          done`,
        );
        tool('sudo', '[ "$1" = -n ] && shift; exec "$@"');
        for (const name of ['env', 'chmod', 'true']) symlinkSync(`/usr/bin/${name}`, join(tools, name));
        symlinkSync('/bin/sh', join(tools, 'sh'));
        path = tools;
      }

      it('installs a browser, openssl and sandbox programs only for tests', () => {
        aptGetWithout('nothing');
        setup();
        expect(setup({}, 'start')).to.deep.equal({ status: 0, stderr: '' });
        expect(read('apt-calls')).to.equal('');
        expect(setup({}, 'test').stderr).to.include('installing chromium-headless-shell, openssl, bwrap, socat');
        expect(read('apt-calls')).to.equal(
          '-qq -y install --no-install-recommends chromium-headless-shell openssl bubblewrap socat\n',
        );
        expect(setup({}, 'test')).to.deep.equal({ status: 0, stderr: '' });
      });

      it('installs the whole browser if the smaller package is unavailable', () => {
        aptGetWithout('chromium-headless-shell');
        setup({}, 'test');
        const calls = read('apt-calls').trim().split('\n');
        expect(calls.at(-1)).to.equal('-qq -y install --no-install-recommends chromium openssl bubblewrap socat');
        expect(setup({}, 'test')).to.deep.equal({ status: 0, stderr: '' });
        expect(read('apt-calls').trim().split('\n')).to.have.length(calls.length);
      });
    });

    it('updates the package lists first if needed', () => {
      tool('tmux', 'exit 1');
      aptGet(2);
      expect(setup().status).to.equal(0);
      const verbs = read('apt-calls')
        .trim()
        .split('\n')
        .map((call) => call.split(' ')[3]);
      expect(verbs).to.deep.equal(['install', 'update', 'install']);
    });

    it('prints exactly what to install if it may not', () => {
      tool('tmux', 'echo tmux 3.1c');
      tool('git', 'echo git version 2.20.1');
      symlinkSync('/bin/sh', join(place.path, 'tools/sh'));
      path = join(place.path, 'tools');
      const { status, stderr } = setup();
      expect(status).to.equal(1);
      expect(stderr).to.include(`muster needs tmux 3.3 or newer`).and.to.include(`${path}/tmux is 3.1c`);
      expect(stderr)
        .to.include('muster needs git 2.38 or newer')
        .and.to.match(/install git`/);
      expect(stderr).not.to.include('nats-server');
    });

    describe('without tmux', () => {
      beforeEach(() => {
        tool('tmux', 'echo tmux 3.1c');
        symlinkSync('/bin/sh', join(place.path, 'tools/sh'));
        path = join(place.path, 'tools');
        setup();
      });
      const quiet = { status: 0, stderr: '' };
      const withPty = () => {
        mkdirSync(join(place.path, 'node_modules/node-pty'));
        write('node_modules/node-pty/index.js', '');
      };

      it('allows a start, but no tests, if panes can be embedded', () => {
        expect(setup({}, 'start')).to.have.property('status', 1);
        withPty();
        expect(setup({}, 'start')).to.deep.equal(quiet);
        expect(setup()).to.have.property('status', 1);
        write('node_modules/node-pty/index.js', 'throw new Error("not built")');
        expect(setup({}, 'start')).to.have.property('status', 1);
      });

      it('installs none if embedded panes are requested, and fails without one if tmux is', () => {
        aptGet(1);
        withPty();
        expect(setup({ MUSTER_TERMINAL: 'embedded' }, 'start')).to.deep.equal(quiet);
        expect(read('apt-calls')).to.equal('');
        rmSync(join(place.path, 'tools/apt-get'));
        expect(setup({ MUSTER_TERMINAL: 'tmux' }, 'start')).to.have.property('status', 1);
      });
    });
  });
});

describe('versions', () => {
  it('are compared number by number', () => {
    for (const [version, min, enough] of [
      ['3.2', '3.2', true],
      ['3.10', '3.2', true],
      ['3.2a', '3.2', true],
      ['3.1c', '3.2', false],
      ['4.0', '3.2', true],
      ['2.9.9', '2.9.10', false],
      ['2.38', '2.38.1', false],
      ['24', '24.0.0', true],
    ] as const) {
      expect(isAtLeast(version, min), `${version} for ${min}`).to.equal(enough);
    }
  });
});

describe('package-lock.json', () => {
  it('lists the optional packages of every platform, which npm ci requires', () => {
    const lock: { packages: Record<string, { optionalDependencies?: object }> } = JSON.parse(
      readFileSync(join(repository, 'package-lock.json'), 'utf8'),
    );
    const wanted = Object.values(lock.packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    const named = new Set(Object.keys(lock.packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)));
    expect(wanted.filter((name) => !named.has(name))).to.deep.equal([]);
  });
});
