import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { openPlain } from '#world/git/review/plain-file.ts';

describe('git/review/plain-file', () => {
  let folder: TemporaryFolder;
  const at = (...names: string[]): string => join(folder.path, ...names);
  beforeEach(() => {
    folder = temporaryFolder('plain-file');
    for (const name of ['tree/sub', 'outside']) mkdirSync(at(name), { recursive: true });
    writeFileSync(at('tree/sub/a.txt'), 'a');
    writeFileSync(at('outside/a.txt'), 'theirs');
  });
  afterEach(() => folder.remove());

  const open = async (path = 'sub/a.txt') => {
    const file = await openPlain(at('tree'), path);
    if (file === undefined) throw new Error('there is no such file');
    return file;
  };

  it('replaces a file in one step', async () => {
    await using file = await open();
    await file.replace(Buffer.from('b'));
    expect(readFileSync(at('tree/sub/a.txt'), 'utf8')).to.equal('b');
    expect(readdirSync(at('tree/sub'))).to.deep.equal(['a.txt']);
  });

  it('writes nothing elsewhere, and leaves nothing, if a link replaces the folder meanwhile', async () => {
    for (const away of ['tree/moved', 'moved']) {
      await using file = await open();
      renameSync(at('tree/sub'), at(away));
      symlinkSync(at('outside'), at('tree/sub'));
      const before = statSync(at('outside'), { bigint: true }).mtimeNs;
      const { code } = await failureOf(() => file.replace(Buffer.from('b')));
      expect(code).to.equal('aborted');
      expect(statSync(at('outside'), { bigint: true }).mtimeNs).to.equal(before);
      expect(readdirSync(at(away))).to.deep.equal(['a.txt']);
      expect(readFileSync(at('outside/a.txt'), 'utf8')).to.equal('theirs');
      expect(readFileSync(at(away, 'a.txt'), 'utf8')).to.equal('a');
      rmSync(at('tree/sub'));
      renameSync(at(away), at('tree/sub'));
    }
  });

  it('opens no file behind a link, no link, and no folder', async () => {
    symlinkSync(at('outside'), at('tree/link'));
    symlinkSync(at('outside/a.txt'), at('tree/a.txt'));
    for (const path of ['link/a.txt', 'a.txt', 'sub', 'none/a.txt']) {
      expect(await openPlain(at('tree'), path), path).to.equal(undefined);
    }
  });
});
