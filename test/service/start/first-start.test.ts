import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { fileFailure, isDiskFault } from '#contract/file-fault.ts';
import { prepareStateFolder } from '#service/state-folder.ts';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const muster = fileURLToPath(new URL('../../../bin/muster.mjs', import.meta.url));

describe('a first start with an unusable state folder', () => {
  let place: TemporaryFolder;
  let disk: string;
  beforeEach(() => {
    place = temporaryFolder('first-start');
    disk = join(place.path, 'disk');
    mkdirSync(disk);
  });
  afterEach(() => {
    spawnSync('umount', [disk]);
    place.remove();
  });

  const mount = (options: string) =>
    spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'muster-test', disk]).status === 0;
  const start = (home: string, limit = '', more: NodeJS.ProcessEnv = {}) => {
    const env = { ...process.env, MUSTER_HOME: home, MUSTER_PORT: '0', ...more };
    const command = `${limit} exec "$0" "$1" start`;
    return spawnSync('/bin/sh', ['-c', command, process.execPath, muster], { env, encoding: 'utf8', timeout: 50_000 });
  };

  for (const options of ['size=4k', 'size=1m', 'size=64m,nr_inodes=1', 'size=64m,nr_inodes=20']) {
    it(`reports a full disk, and makes nothing (tmpfs with ${options})`, function () {
      if (!mount(options)) this.skip();
      const { status, stderr } = start(join(disk, 'deep/home'));
      expect(stderr).to.match(/state folder .*deep\/home.* full|its disk has only \d+ (KiB|files) left/);
      expect(stderr)
        .to.match(/[Mm]ake room on it/)
        .and.to.include('MUSTER_HOME');
      expect(stderr).not.to.match(/\n\s+at /);
      expect(status).to.equal(7);
      expect(readdirSync(disk)).to.deep.equal([]);
    });
  }

  it('reports a disk that becomes full, instead of the resulting errors', function () {
    if (!mount('size=64m')) this.skip();
    const home = join(disk, 'home');
    prepareStateFolder(home);
    expect(() => writeFileSync(join(disk, 'filler'), Buffer.alloc(128 * 1024 * 1024))).to.throw('ENOSPC');
    const { status, stderr } = start(home);
    expect(stderr).to.match(/its disk is full .*make room on it/);
    expect(status).to.equal(7);
  });

  it('reports a read-only file system', function () {
    if (!mount('size=64m') || spawnSync('mount', ['-o', 'remount,ro', disk]).status !== 0) this.skip();
    const { status, stderr } = start(join(disk, 'home'));
    expect(stderr).to.match(/its file system can only be read \(EROFS.*mount it for writing/);
    expect(status).to.equal(9);
  });

  it('reports a file in the folder’s path, and leaves it alone', () => {
    const file = join(place.path, 'file');
    writeFileSync(file, '', { mode: 0o644 });
    for (const home of [file, join(file, 'within')]) {
      const { status, stderr } = start(home);
      expect(stderr)
        .to.include(`${file}`)
        .and.to.match(/not a folder.*move it away/);
      expect(status).to.equal(6);
    }
    expect((statSync(file).mode & 0o777).toString(8)).to.equal('644');
  });

  it('reports cyclic or broken links, and a path that is too long', async () => {
    const link = (name: string, to: string) => {
      symlinkSync(to, join(place.path, name));
      return join(place.path, name);
    };
    link('there', link('back', join(place.path, 'there')));
    for (const [home, words] of [
      [join(place.path, 'back/home'), /ELOOP.*repair the links/],
      [link('nowhere', '/no/such'), /broken link \(EEXIST.*move it away/],
      [join(place.path, 'x'.repeat(300)), /ENAMETOOLONG.*use a shorter one/],
    ] as const) {
      const { code, message } = await failureOf(() => prepareStateFolder(home));
      expect(message).to.match(words).and.to.include('MUSTER_HOME');
      expect(code).to.equal('failed_precondition');
    }
    expect(existsSync('/no/such')).to.equal(false);
  });

  it('undoes its changes if it fails', async () => {
    const home = join(place.path, 'deep/home');
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'rules'), '');
    await failureOf(() => prepareStateFolder(home));
    expect(readdirSync(home)).to.deep.equal(['rules']);
  });

  it('ends with an exit code after an error that it does not expect', () => {
    const home = join(place.path, 'home');
    mkdirSync(join(home, 'joined.json'), { recursive: true, mode: 0o700 });
    // Without the tests' own options, which record an error that nobody handles as a failure.
    const { stderr, stdout, status } = start(home, '', { NODE_OPTIONS: '' });
    expect(stdout + stderr).to.include('EISDIR');
    expect(status).to.equal(1);
  });

  it('reports the limit of open files, wherever it meets it', () => {
    for (const limit of [22, 23, 24, 25, 26, 27]) {
      const { stderr, stdout, status } = start(join(place.path, `home-${limit}`), `ulimit -n ${limit};`);
      expect(status, `${limit}: ${stderr}`).to.be.within(1, 10);
      expect(stdout + stderr).not.to.include('an error that nobody handled');
      // With fewer, Node itself may not be able to load the program.
      if (limit > 23) expect(stderr).to.match(/may open no more files \(EMFILE.*ulimit -n/);
    }
  });
});

describe('the refusal for an error of the operating system', () => {
  const refusalOf = (code: string) =>
    fileFailure(
      Object.assign(new Error(`${code}: it said so`), { code, syscall: 'open', path: '/x/y' }),
      'It failed',
      'or not',
    );
  for (const [code, expected] of Object.entries({
    ENOSPC: /^resource_exhausted DISK_FULL .*disk is full \(ENOSPC at \/x\/y\).*make room.*or not$/,
    EDQUOT: /^resource_exhausted DISK_FULL .*quota.*make room within/,
    EROFS: /^unavailable DATABASE_READ_ONLY .*mount it for writing/,
    EIO: /^unavailable DISK_FAILED .*replace the disk/,
    EACCES: /^failed_precondition FILE_NOT_USABLE .*may not write.*the person who runs muster/,
    EPERM: /^failed_precondition FILE_NOT_USABLE .*immutable.*lsattr/,
    ENOTDIR: /^failed_precondition FILE_NOT_USABLE .*not a folder.*move it away/,
    ELOOP: /^failed_precondition FILE_NOT_USABLE .*loop.*repair the links/,
    ENAMETOOLONG: /^failed_precondition FILE_NOT_USABLE .*too long.*a shorter one/,
    EMFILE: /^resource_exhausted OPEN_FILES_EXHAUSTED .*no more files.*ulimit -n/,
    EWEIRD: /^failed_precondition FILE_NOT_USABLE It failed \(EWEIRD: it said so\): fix that, or not$/,
  })) {
    it(`names the operation, the path and the remedy for ${code}`, () => {
      const failure = refusalOf(code);
      expect(`${failure.code} ${failure.reason} ${failure.message}`).to.match(expected);
      expect(isDiskFault(failure.cause)).to.equal(/^(DISK|DATABASE)_/.test(failure.reason));
    });
  }
});
