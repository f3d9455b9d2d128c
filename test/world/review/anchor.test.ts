import { rmSync, symlinkSync } from 'node:fs';
import { expect } from 'chai';
import { findGitDirectory, type GitDirectory } from '#world/git/repository/git-directory.ts';
import { type Anchor, checkAnchor } from '#world/git/review/anchor.ts';
import { carryAnchors } from '#world/git/review/carry.ts';
import { GitFixture } from '../git-fixture.ts';
import { anchorCases, baseFiles, snapshotFiles } from './anchor-cases.ts';

type Files = Readonly<Record<string, string | Buffer>>;

describe('git/review/anchor', () => {
  let fixture: GitFixture;
  let at: GitDirectory;
  let baseSha: string;
  let snapshotSha: string;
  before(async () => {
    fixture = new GitFixture();
    fixture.repository('r', {});
    baseSha = commit(baseFiles);
    commit(snapshotFiles);
    symlinkSync('a.txt', fixture.path('r/link'));
    snapshotSha = fixture.commit('r', 'a link');
    const found = await findGitDirectory(fixture.path('r'));
    if (found === undefined) throw new Error('there is no repository');
    at = found;
  });
  after(() => fixture.dispose());

  /** A commit that holds these files and no others. */
  function commit(files: Files): string {
    fixture.git('r', 'rm', '-rq', '--ignore-unmatch', '.');
    for (const [path, content] of Object.entries(files)) fixture.write(`r/${path}`, content);
    return fixture.commit('r', 'files');
  }

  for (const { what, asked, refused } of anchorCases) {
    it(`${refused ? 'refuses' : 'accepts'} ${what}`, async () => {
      const verdict = await checkAnchor(at, { baseSha, snapshotSha, quotedLines: [], hasSuggestion: false, ...asked });
      if (refused === undefined) {
        expect(verdict).to.deep.equal({ ok: true });
        return;
      }
      expect(verdict).to.deep.include({ ok: false, reason: refused.reason, stands: refused.stands ?? [] });
      expect(verdict.ok ? '' : verdict.message).to.contain(refused.says);
    });
  }

  describe('in a later round', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
    const text = (from: readonly string[]): string => `${from.join('\n')}\n`;
    const first = {
      'a.txt': text(lines),
      'b.txt': text(lines.map((line) => `b ${line}`)),
      'c.bin': Buffer.from('\0c'),
    };
    const lineTen = { filePath: 'a.txt', newStart: 10, newEnd: 12 };

    const cases: readonly { what: string; later: Files; anchor: Anchor; want: object }[] = [
      { what: 'stays where nothing moved', later: first, anchor: lineTen, want: { state: 'still', ...lineTen } },
      {
        what: 'stays where only lines below moved',
        later: { ...first, 'a.txt': text([...lines, 'more']) },
        anchor: lineTen,
        want: { state: 'still', ...lineTen },
      },
      {
        what: 'moves down with lines put above',
        later: { ...first, 'a.txt': text(['x', 'y', ...lines]) },
        anchor: lineTen,
        want: { state: 'moved', filePath: 'a.txt', newStart: 12, newEnd: 14 },
      },
      {
        what: 'moves up with lines taken away above',
        later: { ...first, 'a.txt': text(lines.slice(3)) },
        anchor: lineTen,
        want: { state: 'moved', filePath: 'a.txt', newStart: 7, newEnd: 9 },
      },
      {
        what: 'is not changed by lines at its edges',
        later: { ...first, 'a.txt': text([...lines.slice(0, 9), 'x', ...lines.slice(9, 12), 'y', ...lines.slice(12)]) },
        anchor: lineTen,
        want: { state: 'moved', filePath: 'a.txt', newStart: 11, newEnd: 13 },
      },
      {
        what: 'is changed by a line put in between',
        later: { ...first, 'a.txt': text([...lines.slice(0, 10), 'x', ...lines.slice(10)]) },
        anchor: lineTen,
        want: { state: 'changed', filePath: 'a.txt' },
      },
      {
        what: 'is changed by an edit of its last line',
        later: { ...first, 'a.txt': text(lines.with(11, 'edited')) },
        anchor: lineTen,
        want: { state: 'changed', filePath: 'a.txt' },
      },
      {
        what: 'goes along with a file that was renamed',
        later: { 'z.txt': text(['x', ...lines]), 'b.txt': first['b.txt'] },
        anchor: lineTen,
        want: { state: 'moved', filePath: 'z.txt', newStart: 11, newEnd: 13 },
      },
      { what: 'is gone with its file', later: { 'b.txt': first['b.txt'] }, anchor: lineTen, want: { state: 'gone' } },
      {
        what: 'of a file stays whatever is in it',
        later: { ...first, 'c.bin': Buffer.from('\0other') },
        anchor: { filePath: 'c.bin' },
        want: { state: 'still', filePath: 'c.bin' },
      },
      {
        what: 'of a file that was renamed moves',
        later: { 'd.txt': first['a.txt'], 'b.txt': first['b.txt'] },
        anchor: { filePath: 'a.txt' },
        want: { state: 'moved', filePath: 'd.txt' },
      },
    ];
    for (const { what, later, anchor, want } of cases) {
      it(what, async () => {
        const from = { baseSha, snapshotSha: commit(first) };
        const to = { baseSha, snapshotSha: commit(later) };
        expect(await carryAnchors(at, from, to, [anchor])).to.deep.equal([want]);
      });
    }

    it('follows removed lines from base to base', async () => {
      const from = { baseSha: commit(first), snapshotSha: commit({ ...first, 'a.txt': text(lines.toSpliced(4, 1)) }) };
      const removed = { filePath: 'a.txt', oldStart: 5, oldEnd: 5 };
      const carry = (base: string) =>
        carryAnchors(at, from, { baseSha: base, snapshotSha: from.snapshotSha }, [removed]);
      expect(await carry(from.baseSha)).to.deep.equal([{ state: 'still', ...removed }]);
      const pulled = commit({ ...first, 'a.txt': text(['x', ...lines]) });
      expect(await carry(pulled)).to.deep.equal([{ state: 'moved', filePath: 'a.txt', oldStart: 6, oldEnd: 6 }]);
      const rewritten = commit({ ...first, 'a.txt': text(lines.with(4, 'edited')) });
      expect(await carry(rewritten)).to.deep.equal([{ state: 'changed', filePath: 'a.txt' }]);
    });

    it('resolves a thousand anchors in their order with one read of each file', async () => {
      const from = { baseSha, snapshotSha: commit(first) };
      const to = { baseSha, snapshotSha: commit({ ...first, 'a.txt': text(['x', ...lines]) }) };
      const anchors = Array.from({ length: 1_000 }, (_, index): Anchor => {
        const line = (index % 20) + 1;
        return { filePath: index % 2 === 0 ? 'a.txt' : 'b.txt', newStart: line, newEnd: line };
      });
      const found = await carryAnchors(at, from, to, anchors);
      const want = anchors.map(({ filePath, newStart = 0 }) => (filePath === 'a.txt' ? newStart + 1 : newStart));
      expect(found.map(({ newStart }) => newStart)).to.deep.equal(want);
    });
  });

  it('is hidden by no attribute of the repository', async () => {
    const hidden = { 'a.txt': 'one\n', '.gitattributes': '* -diff binary\n' };
    const from = commit(hidden);
    fixture.write('r/.git/info/attributes', '* -diff\n');
    fixture.git('r', 'config', 'core.bigFileThreshold', '1');
    const to = commit({ ...hidden, 'a.txt': 'two\n' });
    const asked = { filePath: 'a.txt', newStart: 1, newEnd: 1, quotedLines: [], hasSuggestion: false };
    expect(await checkAnchor(at, { baseSha: from, snapshotSha: to, ...asked })).to.deep.equal({ ok: true });
    rmSync(fixture.path('r/.git/info/attributes'));
  });
});
