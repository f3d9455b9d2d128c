import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runInside } from '#test/cli/command-line.ts';
import { startService, type WholeService } from '#test/cli/whole-service.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import {
  agentEnvironment,
  baseEnvironment,
  programPath,
  programPathOf,
  withoutNpm,
} from '#world/process/environment.ts';
import { ownFolder } from '#world/process/own-programs.ts';
import { environmentOf, listProcesses } from '#world/process/process-tree.ts';
import { findProgram } from '#world/program/find-program.mjs';
import { socketFolder } from '#world/tmux/socket-folder.ts';

describe('the person’s environment in an agent', () => {
  const secret = 'hunter2-of-the-environment';
  let home: TemporaryFolder;
  let service: WholeService;
  const muster = (...argv: string[]) =>
    runInside(argv, { env: { MUSTER_HOME: home.path, MUSTER_URL: service.url, NO_COLOR: '1' } });
  const files = () => readdirSync(home.path).filter((name) => name.startsWith('env-'));

  before(async () => {
    home = temporaryFolder('environment');
    Object.assign(process.env, {
      DATABASE_PASSWORD: secret,
      ANTHROPIC_API_KEY: secret,
      NVM_DIR: '/nvm',
      MUSTER_AGENT_ENV: 'NVM_DIR',
    });
    service = await startService(home.path, '0', 'debug');
    const script = `env > ${home.path}/env-idle.part; mv ${home.path}/env-idle.part ${home.path}/env-idle`;
    await muster('workflow', 'create', 'plain', '--cwd', home.path, '--harness', 'shell', '--on-idle', script);
    await muster('new', `env > env-pane.part; mv env-pane.part env-pane`, '-w', 'plain', '--title', 'looks');
    await moment('both to have looked', () => files().includes('env-idle') && files().includes('env-pane'));
  });
  after(async () => {
    for (const name of ['DATABASE_PASSWORD', 'ANTHROPIC_API_KEY', 'NVM_DIR', 'MUSTER_AGENT_ENV'])
      delete process.env[name];
    await service.end();
    home.remove();
  });

  for (const name of ['env-pane', 'env-idle']) {
    it(`is in ${name} the shared variables and those that the person named`, () => {
      const env = readFileSync(join(home.path, name), 'utf8');
      expect(env).not.to.include(secret);
      expect(env)
        .to.match(/^PATH=/m)
        .and.to.match(/^HOME=/m)
        .and.to.match(/^NVM_DIR=\/nvm$/m)
        .and.to.match(/^SERVICE_TOKEN=/m);
    });
  }

  it('is in no tmux server', async () => {
    const folder = socketFolder(join(home.path, 'run'));
    const [socket = ''] = readdirSync(folder).filter((name) => name.endsWith('.sock'));
    const ask = (...words: string[]) =>
      execFileSync('tmux', ['-S', join(folder, socket), ...words], { encoding: 'utf8' });
    expect(ask('show-environment', '-g')).to.include('HOME=').and.not.to.include(secret);
    const server = Number(ask('display-message', '-p', '#{pid}'));
    expect((await listProcesses()).some(({ pid }) => pid === server)).to.equal(true);
    expect(environmentOf(server).join('\n')).to.include('PATH=').and.not.to.include(secret);
    expect(ask('show-options', '-g', 'update-environment').trim()).to.match(/^update-environment\b["' ]*$/);
  });
});

describe('the list of agents’ variables', () => {
  const person = {
    PATH: '/bin',
    LC_ALL: 'C',
    AWS_SECRET_ACCESS_KEY: 'x',
    ANTHROPIC_API_KEY: 'a',
    ANTHROPICX: 'b',
    LD_PRELOAD: 'c',
    XDG_RUNTIME_DIR: '/r',
  };
  it('matches a whole name, and a prefix only with a star', () => {
    expect(Object.keys(agentEnvironment(person, []))).to.deep.equal(['PATH', 'LC_ALL', 'XDG_RUNTIME_DIR']);
    expect(Object.keys(agentEnvironment(person, ['ANTHROPIC_*', 'AWS_SECRET']))).to.deep.equal([
      'PATH',
      'LC_ALL',
      'ANTHROPIC_API_KEY',
      'XDG_RUNTIME_DIR',
    ]);
  });
});

describe('the PATH of agents', () => {
  const own = '/home/ada/src/muster';
  const npm = [own, '/home/ada/src', '/home/ada', '/home', '/'].map((folder) => join(folder, 'node_modules/.bin'));
  const gyp = '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin';
  const person = ['/home/ada/node_modules/.bin', '/srv/tools/node_modules/.bin/', '', '/usr/bin'];

  it('is the person’s, without npm’s folders for muster', () => {
    expect(withoutNpm([...npm, gyp, ...person], own)).to.deep.equal(person);
    expect(withoutNpm([...npm, gyp, ...npm, gyp, ...person], `${own}/`)).to.deep.equal(person);
    expect(withoutNpm(person, own)).to.deep.equal(person);
    expect(withoutNpm([join(own, 'node_modules/.bin/'), ...person], own), 'without npm’s own').to.deep.equal(person);
    expect(withoutNpm(['/srv/app/node_modules/.bin', gyp, '/bin'], own), 'of another program').to.deep.equal([
      '/srv/app/node_modules/.bin',
      '/bin',
    ]);
  });

  it('begins with the folder of muster’s command, without muster’s dependencies', () => {
    const { PATH = '' } = baseEnvironment(
      { PATH: `${ownFolder}node_modules/.bin:/srv/node_modules/.bin` },
      '/state/bin',
    );
    expect(PATH).to.equal('/state/bin:/srv/node_modules/.bin');
  });
});

describe('a planted program', () => {
  let home: TemporaryFolder;
  beforeEach(() => {
    home = temporaryFolder('planted');
  });
  afterEach(() => home.remove());
  const plant = (folder: string, mode = 0o755): string => {
    mkdirSync(join(home.path, folder), { recursive: true });
    chmodSync(join(home.path, folder), mode);
    writeFileSync(join(home.path, folder, 'claude'), '#!/bin/sh\n', { mode: 0o755 });
    return join(home.path, folder);
  };
  const found = (...path: string[]) =>
    findProgram('claude', programPath(path.join(':'), [join(home.path, 'bin'), join(home.path, 'worktrees')]));

  it('is not run from muster’s own folder, from a worktree, or through a link', () => {
    const good = plant('good');
    for (const bad of [plant('bin'), plant('worktrees/a/bin'), `${plant('bin')}/../bin`, `${plant('bin')}/`]) {
      expect(found(bad, good)).to.equal(join(good, 'claude'));
    }
    execFileSync('ln', ['-s', plant('bin'), join(home.path, 'link')]);
    expect(found(join(home.path, 'link'), good)).to.equal(join(good, 'claude'));
  });

  it('is not run if the state folder is a link itself', () => {
    const good = plant('good');
    const bad = plant('real/worktrees/a/bin');
    symlinkSync(join(home.path, 'real'), join(home.path, 'state'));
    const path = programPathOf(`${bad}:${good}`, join(home.path, 'state'));
    expect(findProgram('claude', path)).to.equal(join(good, 'claude'));
  });

  it('is not run if others may write it or replace it', function () {
    const good = plant('good');
    const group = plant('group', 0o775);
    const below = plant('below/bin');
    chmodSync(join(home.path, 'below'), 0o777);
    const linked = plant('linked');
    symlinkSync(plant('behind/bin'), join(linked, 'bin'));
    chmodSync(join(home.path, 'behind'), 0o777);
    const open = plant('open-file');
    chmodSync(join(open, 'claude'), 0o757);
    expect(found(below, join(linked, 'bin'), open, good)).to.equal(join(good, 'claude'));
    expect(found(group), 'a group that has nobody else in it').to.equal(join(group, 'claude'));
    if (process.getuid?.() !== 0) this.skip();
    const strangers = plant('strangers');
    chownSync(strangers, 65_534, 0);
    const file = plant('file');
    chownSync(join(file, 'claude'), 65_534, 0);
    // That group's members are unknown.
    const unknown = plant('unknown', 0o775);
    chownSync(unknown, 0, 54_321);
    const link = plant('link');
    rmSync(join(link, 'claude'));
    symlinkSync(join(strangers, 'claude'), join(link, 'claude'));
    expect(found(strangers, file, unknown, link, good)).to.equal(join(good, 'claude'));
    expect(findProgram('claude', [strangers, file, unknown, link].join(':'))).to.equal(undefined);
  });

  it('is run below a sticky folder', () => {
    const good = plant('shared/good');
    chmodSync(join(home.path, 'shared'), 0o1777);
    expect(found(good)).to.equal(join(good, 'claude'));
    writeFileSync(join(home.path, 'shared/claude'), '', { mode: 0o755 });
    expect(found(join(home.path, 'shared')), 'and not from it').to.equal(undefined);
  });

  it('is not run from the current folder, nor from a world-writable one', () => {
    const good = plant('good');
    const cwd = process.cwd();
    process.chdir(plant('here'));
    try {
      expect(found('', '.', 'here', plant('open', 0o777), good)).to.equal(join(good, 'claude'));
      expect(findProgram('claude', `:.:${good}`)).to.equal(join(good, 'claude'));
    } finally {
      process.chdir(cwd);
    }
  });
});
