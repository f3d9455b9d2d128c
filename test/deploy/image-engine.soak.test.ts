import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { packMuster } from '#test/package/installed-package.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { findProgram } from '#world/requirements.mjs';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
/** What the image of Node has, and the last stage needs. */
const programs = ['dash', 'ln', 'mkdir', 'install', 'readlink', 'dirname', 'id'];
const maxBytes = 250_000_000;
/** As compose.yaml runs it. */
const closed = ['--read-only', '--tmpfs=/tmp', '--cap-drop=all', '--security-opt=no-new-privileges', '--network=none'];
/** An engine that itself runs in a container may not raise limits, and not every runtime knows its control groups. */
const limits = [
  ...(findProgram('runc') === undefined ? [] : ['--runtime=runc']),
  '--ulimit=nofile=1024:1024',
  '--ulimit=nproc=1024:1024',
];

describe('the image of deploy/Dockerfile, built by podman', function () {
  this.timeout(600_000);
  const name = `localhost/muster-test-${process.pid}`;
  let place: TemporaryFolder;

  const podman = (...args: readonly string[]) =>
    execFileSync('podman', [...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const run = (...args: readonly string[]) => podman('run', '--rm', ...limits, ...closed, ...args);

  before(async function () {
    if (process.platform !== 'linux' || spawnSync('podman', ['info']).status !== 0) this.skip();
    place = temporaryFolder('engine');
    importFolder(baseIn(join(place.path, 'base')), `${name}-base`);
    importFolder(await builtIn(join(place.path, 'built')), `${name}-built`);
    const text = readFileSync(join(checkout, 'deploy/Dockerfile'), 'utf8');
    const stage = text.slice(text.lastIndexOf('\nFROM ') + 1);
    const file = join(place.path, 'Dockerfile');
    writeFileSync(
      file,
      stage.replace(/^FROM \S+/, `FROM ${name}-base`).replaceAll('--from=build', `--from=${name}-built`),
    );
    mkdirSync(join(place.path, 'context'));
    podman('build', '--pull-never', '--isolation=chroot', '-t', name, '-f', file, join(place.path, 'context'));
  });
  after(() => {
    if (place === undefined) return;
    for (const image of [name, `${name}-built`, `${name}-base`]) spawnSync('podman', ['rmi', '--force', image]);
    place.remove();
  });

  /** A folder with Node, the programs that the stage runs, and their libraries: there is no registry of images here. */
  function baseIn(folder: string): string {
    const put = (file: string, at: string): void => {
      mkdirSync(dirname(join(folder, at)), { recursive: true });
      copyFileSync(realpathSync(file), join(folder, at));
    };
    const files = [process.execPath, ...programs.map((program) => findProgram(program) ?? '')];
    for (const file of files)
      put(file, file === process.execPath ? 'usr/local/bin/node' : join('usr/bin', basename(file)));
    put(findProgram('dash') ?? '', 'bin/sh');
    const libraries = files.flatMap((file) => execFileSync('ldd', [file], { encoding: 'utf8' }).match(/\/\S+/g) ?? []);
    for (const library of new Set(libraries)) put(library, library);
    for (const [file, line] of [
      ['passwd', 'node:x:1000:1000::/home/node:/bin/sh\n'],
      ['group', 'node:x:1000:\n'],
    ] as const) {
      mkdirSync(join(folder, 'etc'), { recursive: true });
      writeFileSync(join(folder, 'etc', file), line);
    }
    for (const made of ['tmp', 'var/lib']) mkdirSync(join(folder, made), { recursive: true });
    chmodSync(join(folder, 'tmp'), 0o1777);
    return folder;
  }

  /** A folder with what the first stage leaves to the last one. */
  async function builtIn(folder: string): Promise<string> {
    const home = join(folder, 'opt/muster');
    mkdirSync(join(home, 'node_modules'), { recursive: true });
    const { file } = await packMuster(place.path);
    execFileSync('tar', ['-xzf', file, '-C', home]);
    cpSync(join(checkout, 'node_modules/better-sqlite3'), join(home, 'node_modules/better-sqlite3'), {
      recursive: true,
    });
    return folder;
  }

  function importFolder(folder: string, image: string): void {
    const tarball = `${folder}.tar`;
    execFileSync('tar', ['-cf', tarball, '-C', folder, '.']);
    podman('import', '--change', 'ENV PATH=/usr/local/bin:/usr/bin:/bin', tarball, image);
  }

  it('is small, and has no root', () => {
    expect(Number(podman('image', 'inspect', '--format', '{{.Size}}', name))).to.be.below(maxBytes);
    expect(run('--entrypoint=/usr/bin/id', name, '-u')).to.equal('1000');
  });

  it('runs read-only and without rights, and as any user', () => {
    for (const user of ['node', '4711:4711'])
      expect(run('--user', user, name, '--version')).to.match(/^\d+\.\d+\.\d+$/);
    const { status, stderr } = spawnSync('podman', ['run', '--rm', ...limits, ...closed, name, 'probe', 'gateway'], {
      encoding: 'utf8',
    });
    expect(status, stderr).to.equal(1);
  });

  it('ends with the status of a process that refuses to start', () => {
    const env = ['--env=MUSTER_HOME=/tmp/state', '--env=MUSTER_BUS_URL=nats://127.0.0.1:4222'];
    const { status, stdout, stderr } = spawnSync(
      'podman',
      ['run', '--rm', ...limits, ...closed, ...env, name, 'gateway'],
      {
        encoding: 'utf8',
      },
    );
    expect(status, stderr).to.equal(6);
    expect(stdout + stderr).to.include('MUSTER_BUS_CREDENTIALS');
  });
});
