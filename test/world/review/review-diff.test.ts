import { renameSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { expect } from 'chai';
import type { FileDiff } from '#contract/wire/review-calls.ts';
import { failureOf } from '#test/support/failure.ts';
import { findGitDirectory, type GitDirectory } from '#world/git/repository/git-directory.ts';
import { type DiffPage, type DiffQuestion, reviewDiff } from '#world/git/review/review-diff.ts';
import { readLines } from '#world/git/review/stored-file.ts';
import { GitFixture } from '../git-fixture.ts';

describe('git/review/review-diff', () => {
  let fixture: GitFixture;
  let at: GitDirectory;
  let fromSha: string;
  beforeEach(async () => {
    fixture = new GitFixture();
    fixture.repository('r', {
      'a.txt': 'one\ntwo\nthree\n',
      'b.bin': '\0one',
      'gone.txt': 'gone\n',
      link: 'no link yet\n',
      'long name.txt': Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join(''),
    });
    fromSha = fixture.git('r', 'rev-parse', 'HEAD');
    const found = await findGitDirectory(fixture.path('r'));
    if (found === undefined) throw new Error('there is no repository');
    at = found;
  });
  afterEach(() => fixture.dispose());

  const page = (toSha: string, more: Partial<DiffQuestion> = {}): Promise<DiffPage> =>
    reviewDiff(at, { fromSha, toSha, pageBytes: 100_000, context: 3, ...more });
  /** All pages of a diff. */
  async function pages(toSha: string, pageBytes: number): Promise<DiffPage[]> {
    const all = [await page(toSha, { pageBytes })];
    for (let next = all[0]?.nextCursor; next !== undefined; next = all.at(-1)?.nextCursor) {
      all.push(await page(toSha, { pageBytes, cursor: next }));
    }
    return all;
  }

  it('returns the changes of each file', async () => {
    fixture.write('r/a.txt', 'one\nzwei\nthree\n', 0o755);
    fixture.write('r/b.bin', '\0two!');
    fixture.write('r/new.txt', 'new\n');
    rmSync(fixture.path('r/gone.txt'));
    rmSync(fixture.path('r/link'));
    symlinkSync('/etc/passwd', fixture.path('r/link'));
    renameSync(fixture.path('r/long name.txt'), fixture.path('r/short.txt'));
    truncateSync(fixture.write('r/huge.txt', ''), 5_000_001);
    const { files, nextCursor, totalFiles } = await page(fixture.commit('r', 'all'));
    const whole = { partial: false };
    const expected: FileDiff[] = [
      {
        path: 'a.txt',
        change: 'modified',
        oldMode: '100644',
        newMode: '100755',
        oldBytes: 14,
        newBytes: 15,
        added: 1,
        deleted: 1,
        patch: '@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n',
        ...whole,
      },
      {
        path: 'b.bin',
        change: 'modified',
        oldMode: '100644',
        newMode: '100644',
        oldBytes: 4,
        newBytes: 5,
        omitted: 'binary',
        patch: '',
        ...whole,
      },
      {
        path: 'gone.txt',
        change: 'deleted',
        oldMode: '100644',
        oldBytes: 5,
        added: 0,
        deleted: 1,
        patch: '@@ -1 +0,0 @@\n-gone\n',
        ...whole,
      },
      {
        path: 'huge.txt',
        change: 'added',
        newMode: '100644',
        newBytes: 5_000_001,
        omitted: 'large',
        patch: '',
        ...whole,
      },
      {
        path: 'link',
        change: 'type-changed',
        oldMode: '100644',
        newMode: '120000',
        oldBytes: 12,
        newBytes: 11,
        added: 1,
        deleted: 1,
        patch: '@@ -1 +1 @@\n-no link yet\n+/etc/passwd\n\\ No newline at end of file\n',
        ...whole,
      },
      {
        path: 'new.txt',
        change: 'added',
        newMode: '100644',
        newBytes: 4,
        added: 1,
        deleted: 0,
        patch: '@@ -0,0 +1 @@\n+new\n',
        ...whole,
      },
      {
        path: 'short.txt',
        oldPath: 'long name.txt',
        change: 'renamed',
        oldMode: '100644',
        newMode: '100644',
        oldBytes: 310,
        newBytes: 310,
        added: 0,
        deleted: 0,
        patch: '',
        ...whole,
      },
    ];
    expect(files).to.deep.equal(expected);
    expect([nextCursor, totalFiles]).to.deep.equal([undefined, 7]);
  });

  it('returns pages that together are complete, and splits a long file at line ends', async () => {
    for (let file = 0; file < 30; file += 1) {
      const lines = Array.from({ length: file === 7 ? 3_000 : 20 }, (_, line) => `file ${file} line ${line} é\n`);
      fixture.write(`r/many/${String(file).padStart(2, '0')}.txt`, lines.join(''));
    }
    const toSha = fixture.commit('r', 'many');
    const whole = await pages(toSha, 1_000_000);
    expect(whole).to.have.length(1);
    const parts = await pages(toSha, 4_000);
    expect(parts.length).to.be.greaterThan(10);
    const sizes = parts.map(({ files }) => Buffer.byteLength(files.map(({ patch }) => patch).join('')));
    expect(Math.max(...sizes)).to.be.at.most(4_000);
    const joined = new Map<string, string>();
    for (const { path, patch, partial } of parts.flatMap(({ files }) => files)) {
      if (partial) expect(patch.endsWith('\n')).to.equal(true);
      expect(partial).to.equal(path === 'many/07.txt');
      joined.set(path, (joined.get(path) ?? '') + patch);
    }
    const expected = whole[0]?.files.map(({ path, patch }): [string, string] => [path, patch]);
    expect([...joined]).to.deep.equal(expected);
  });

  it('continues within a line that is longer than a page, between characters', async () => {
    const line = 'é'.repeat(5_000);
    fixture.write('r/a.txt', line);
    const parts = await pages(fixture.commit('r', 'long'), 1_025);
    const text = parts.map(({ files }) => files[0]?.patch).join('');
    expect(text).to.contain(`+${line}\n`).and.to.not.contain('\ufffd');
  });

  it('returns one file by its new or old name, or not_found', async () => {
    renameSync(fixture.path('r/long name.txt'), fixture.path('r/--output=x'));
    fixture.write('r/a.txt', 'changed\n');
    const toSha = fixture.commit('r', 'renamed');
    for (const path of ['--output=x', 'long name.txt']) {
      const { files, totalFiles } = await page(toSha, { path });
      expect([files.map((file) => file.path), totalFiles]).to.deep.equal([['--output=x'], 1]);
    }
    expect((await failureOf(() => page(toSha, { path: 'b.bin' }))).code).to.equal('not_found');
    expect((await failureOf(() => page(toSha, { cursor: 'x' }))).code).to.equal('invalid_argument');
    expect((await failureOf(() => page(toSha, { cursor: '99.0' }))).code).to.equal('invalid_argument');
    expect((await failureOf(() => page('0123456789'.repeat(4)))).code).to.equal('failed_precondition');
  });

  it('reads lines of a file at a commit', async () => {
    const read = (path: string, start: number, end: number) => readLines(at, fromSha, path, { start, end });
    expect(await read('a.txt', 2, 9)).to.deep.equal({ lines: ['two', 'three'], totalLines: 3 });
    expect((await failureOf(() => read('a.txt', 4, 5))).code).to.equal('invalid_argument');
    expect((await failureOf(() => read('b.bin', 1, 1))).code).to.equal('failed_precondition');
    expect((await failureOf(() => read('../a.txt', 1, 1))).code).to.equal('not_found');
  });
}).timeout(60_000);
