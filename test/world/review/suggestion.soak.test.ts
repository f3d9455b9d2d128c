import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { applySuggestion } from '#world/git/review/suggestion.ts';
import { GitFixture } from '../git-fixture.ts';

describe('git/review/suggestion', () => {
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
  const text = `${lines.join('\n')}\n`;
  let fixture: GitFixture;
  let at: CheckoutFolder;
  let snapshotSha: string;
  beforeEach(async () => {
    fixture = new GitFixture();
    fixture.repository('r', {
      'dir/a.txt': text,
      'crlf.txt': text.replaceAll('\n', '\r\n'),
      'open.txt': text.trimEnd(),
    });
    fixture.write('r/dir/a.txt', text, 0o755);
    snapshotSha = fixture.commit('r', 'snapshot');
    const found = await findGitDirectory(fixture.path('r'));
    if (found?.workTree === undefined) throw new Error('there is no checkout');
    at = { ...found, workTree: found.workTree };
  });
  afterEach(() => fixture.dispose());

  const apply = (filePath: string, start: number, end: number, ...suggestion: string[]) =>
    applySuggestion(at, { snapshotSha, filePath, range: { start, end }, suggestion });
  const read = (path: string): string => readFileSync(fixture.path('r', path), 'utf8');
  const edited = (from: number, to: number, ...by: string[]): string =>
    `${lines.toSpliced(from - 1, to - from + 1, ...by).join('\n')}\n`;

  it('replaces unchanged lines, keeps the mode, and stages nothing', async () => {
    expect(await apply('dir/a.txt', 3, 4, 'better')).to.deep.equal({ filePath: 'dir/a.txt', start: 3, end: 3 });
    expect(read('dir/a.txt')).to.equal(edited(3, 4, 'better'));
    expect(statSync(fixture.path('r/dir/a.txt')).mode & 0o777).to.equal(0o755);
    expect(fixture.git('r', 'diff', '--cached', '--name-only')).to.equal('');
    expect(readdirSync(fixture.path('r/dir'))).to.deep.equal(['a.txt']);
  });

  it('follows moved lines, also in a renamed file', async () => {
    writeFileSync(fixture.path('r/dir/a.txt'), `top\n${text}`);
    expect(await apply('dir/a.txt', 3, 3, 'x', 'y')).to.deep.equal({ filePath: 'dir/a.txt', start: 4, end: 5 });
    expect(read('dir/a.txt')).to.equal(`top\n${edited(3, 3, 'x', 'y')}`);
    renameSync(fixture.path('r/dir/a.txt'), fixture.path('r/moved.txt'));
    expect(await apply('dir/a.txt', 9, 9, 'z')).to.deep.equal({ filePath: 'moved.txt', start: 11, end: 11 });
    expect(read('moved.txt').split('\n')[10]).to.equal('z');
  });

  it('keeps line ends, and a last line without one', async () => {
    await apply('crlf.txt', 2, 2, 'x', 'y');
    expect(read('crlf.txt')).to.equal(edited(2, 2, 'x', 'y').replaceAll('\n', '\r\n'));
    await apply('open.txt', 12, 12, 'x', 'y');
    expect(read('open.txt')).to.equal(edited(12, 12, 'x', 'y').trimEnd());
  });

  it('refuses changed lines, and returns the current ones', async () => {
    const changed = edited(3, 3, 'mine');
    writeFileSync(fixture.path('r/dir/a.txt'), changed);
    const failure = await failureOf(() => apply('dir/a.txt', 3, 4, 'better'));
    expect(failure.code).to.equal('failed_precondition');
    expect(failure.message).to.contain('lines 3 to 4 of dir/a.txt changed').and.to.contain('mine\nline 4');
    expect(read('dir/a.txt')).to.equal(changed);
    // After one application, its lines are gone.
    await apply('dir/a.txt', 8, 8, 'once');
    expect((await failureOf(() => apply('dir/a.txt', 8, 8, 'once'))).code).to.equal('failed_precondition');
  });

  it('inserts an addition once, wherever the lines moved', async () => {
    for (const [at, ...suggestion] of [
      [3, 'line 3', 'after'],
      [6, 'before', 'line 6'],
      [9, 'before', 'line 9', 'after'],
      [11, 'line 11', 'line 11'],
    ] as const) {
      await apply('dir/a.txt', at, at, ...suggestion);
      const once = read('dir/a.txt');
      const failure = await failureOf(() => apply('dir/a.txt', at, at, ...suggestion));
      expect(failure.code).to.equal('failed_precondition');
      expect(read('dir/a.txt'), suggestion.join()).to.equal(once);
      writeFileSync(fixture.path('r/dir/a.txt'), `top\n${once}`);
      expect((await failureOf(() => apply('dir/a.txt', at, at, ...suggestion))).code).to.equal('failed_precondition');
      writeFileSync(fixture.path('r/dir/a.txt'), text);
    }
    // What stood there in the snapshot is not a sign of it.
    await apply('open.txt', 3, 3, 'line 3', 'line 4');
    expect(read('open.txt')).to.equal(edited(3, 3, 'line 3', 'line 4').trimEnd());
  });

  it('returns the lines in place of changed ones, also after a move', async () => {
    writeFileSync(fixture.path('r/dir/a.txt'), `top\nmore\n${edited(5, 6, 'mine', 'mine too', 'and this')}`);
    const failure = await failureOf(() => apply('dir/a.txt', 5, 6, 'x'));
    expect(failure.message).to.contain('now:\nmine\nmine too\nand this\n');
    writeFileSync(fixture.path('r/dir/a.txt'), edited(2, 9, 'all of it'));
    expect((await failureOf(() => apply('dir/a.txt', 5, 6, 'x'))).message).to.contain('now:\nall of it\n');
  });

  it('refuses missing files, and lines that the snapshot never had', async () => {
    for (const [start, end] of [
      [12, 13],
      [4, 3],
    ] as const) {
      expect((await failureOf(() => apply('dir/a.txt', start, end, 'x'))).code).to.equal('invalid_argument');
    }
    for (const path of ['nothing.txt', '../../etc/passwd', 'dir', '.git/config']) {
      expect((await failureOf(() => apply(path, 1, 1, 'x'))).code).to.equal('invalid_argument');
    }
    rmSync(fixture.path('r/dir/a.txt'));
    expect((await failureOf(() => apply('dir/a.txt', 1, 1, 'x'))).code).to.equal('failed_precondition');
  });

  it('writes through no link, neither of the file nor of a folder', async () => {
    const outside = fixture.write('outside/a.txt', text);
    rmSync(fixture.path('r/dir'), { recursive: true });
    symlinkSync(fixture.path('outside'), fixture.path('r/dir'));
    expect((await failureOf(() => apply('dir/a.txt', 3, 3, 'x'))).code).to.equal('failed_precondition');
    rmSync(fixture.path('r/crlf.txt'));
    symlinkSync(outside, fixture.path('r/crlf.txt'));
    expect((await failureOf(() => apply('crlf.txt', 3, 3, 'x'))).code).to.equal('failed_precondition');
    expect(readFileSync(outside, 'utf8')).to.equal(text);
    expect(existsSync(fixture.path('outside/crlf.txt'))).to.equal(false);
  });
}).timeout(60_000);
