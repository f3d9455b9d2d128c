import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { copyFiles, unchangedCopies } from '#world/file/copy-files.ts';

describe('copy-files', () => {
  let dir: string;
  let from: string;
  let to: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'muster-test-copy-'));
    from = join(dir, 'from');
    to = join(dir, 'to');
    mkdirSync(from);
    mkdirSync(to);
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  function write(path: string, content: string | Buffer = path): void {
    mkdirSync(dirname(join(from, path)), { recursive: true });
    writeFileSync(join(from, path), content);
  }

  const copy = (...patterns: string[]): Promise<string[]> => copyFiles({ from, to, patterns });

  it('copies matches, hidden files only if named, to the same place with the same mode', async () => {
    for (const path of ['.env', '.env.local', 'config/deep/.env', 'config/app.json', 'other.txt']) write(path);
    chmodSync(join(from, '.env'), 0o640);
    expect(await copy('.env*', 'config/**', '**/.env')).to.deep.equal([
      '.env',
      '.env.local',
      'config/app.json',
      'config/deep/.env',
    ]);
    expect(readFileSync(join(to, 'config/deep/.env'), 'utf8')).to.equal('config/deep/.env');
    expect(statSync(join(to, '.env')).mode & 0o777).to.equal(0o640);
    expect(existsSync(join(to, 'other.txt'))).to.equal(false);
  });

  it('copies nothing without a match', async () => {
    expect(await copy('.env', 'none/**/*.pem')).to.deep.equal([]);
    expect(await copy()).to.deep.equal([]);
  });

  it('overwrites nothing, and counts earlier copies', async () => {
    write('.env', 'new');
    write('b.env', 'same');
    writeFileSync(join(to, '.env'), 'old');
    expect(await copy('*.env', '.env')).to.deep.equal(['b.env']);
    expect(await copy('*.env', '.env')).to.deep.equal(['b.env']);
    expect(readFileSync(join(to, '.env'), 'utf8')).to.equal('old');
  });

  it('completes an interrupted copy', async () => {
    write('.env', 'whole');
    writeFileSync(join(to, '.env.muster-part'), 'wh');
    expect(await copy('.env')).to.deep.equal(['.env']);
    expect(readdirSync(to)).to.deep.equal(['.env']);
    expect(readFileSync(join(to, '.env'), 'utf8')).to.equal('whole');
  });

  it('detects changed copies, and those without an original', async () => {
    for (const path of ['.env', 'a.env', 'b.env', 'c.env']) write(path);
    const paths = await copy('*.env', '.env');
    writeFileSync(join(to, 'a.env'), 'mine');
    rmSync(join(from, 'b.env'));
    rmSync(join(to, 'c.env'));
    expect(await unchangedCopies({ from, to, paths })).to.deep.equal(['.env']);
  });

  it('refuses thousands of files', async () => {
    for (let made = 0; made < 1_000; made += 1) write(`lib/${made}.js`, '');
    expect(await copy('lib/*')).to.have.length(1_000);
    write('lib/one-more.js', '');
    const failure = await failureOf(() => copy('lib/*'));
    expect(failure.code).to.equal('failed_precondition');
    expect(failure.message).to.contain('lib/*');
  });

  it('skips files over 1 MiB, pipes, and git’s own files', async () => {
    write('fits.env', Buffer.alloc(1024 * 1024));
    write('large.env', Buffer.alloc(1024 * 1024 + 1));
    write('.git/secret.env');
    write('sub/.git/secret.env');
    execFileSync('mkfifo', [join(from, 'pipe.env')]);
    expect(await copy('**/*.env')).to.deep.equal(['fits.env']);
    expect(await copy('.git/**', '**/.git/*')).to.deep.equal([]);
  });

  it('follows no symbolic link, neither from nor to', async () => {
    writeFileSync(join(dir, 'outside.env'), 'outside');
    mkdirSync(join(dir, 'elsewhere'));
    writeFileSync(join(dir, 'elsewhere/x.env'), 'elsewhere');
    symlinkSync(join(dir, 'outside.env'), join(from, 'link.env'));
    symlinkSync(join(dir, 'elsewhere'), join(from, 'folder'));
    write('sub/y.env');
    symlinkSync(join(dir, 'elsewhere'), join(to, 'sub'));
    expect(await copy('**/*.env', 'folder/*.env', '*.env')).to.deep.equal([]);
    expect(readdirSync(join(dir, 'elsewhere'))).to.deep.equal(['x.env']);
    write('dangling.env', 'x');
    symlinkSync(join(dir, 'made-by-link'), join(to, 'dangling.env'));
    expect(await copy('dangling.env')).to.deep.equal([]);
    expect(existsSync(join(dir, 'made-by-link'))).to.equal(false);
  });

  for (const pattern of ['/etc/passwd', '../*', 'a/../../b', '{a,../b}', '~/.ssh/*', '', ' ', 'a\0b', 'x/..']) {
    it(`refuses ${JSON.stringify(pattern)}`, async () => {
      expect((await failureOf(() => copy(pattern))).code).to.equal('invalid_argument');
    });
  }
});
