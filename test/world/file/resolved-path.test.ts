import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { resolvedPath } from '#world/file/resolved-path.ts';

describe('a resolved path', () => {
  let folder: TemporaryFolder;
  let tree: string;
  beforeEach(() => {
    folder = temporaryFolder('resolved');
    tree = join(folder.path, 'tree');
    mkdirSync(join(tree, 'src'), { recursive: true });
    mkdirSync(join(folder.path, 'out', 'deep'), { recursive: true });
    writeFileSync(join(tree, 'src', 'a.ts'), '');
    symlinkSync(join(folder.path, 'out', 'deep'), join(tree, 'link'));
    symlinkSync(join(folder.path, 'absent'), join(tree, 'dangling'));
  });
  afterEach(() => folder.remove());

  const place = async (path: string) => (await resolvedPath(tree, path))?.resolved;

  it('follows links, of files that exist or not', async () => {
    expect(await place('src/a.ts')).to.equal(join(tree, 'src/a.ts'));
    expect(await place('src/new/b.ts')).to.equal(join(tree, 'src/new/b.ts'));
    expect(await place('src/../src/a.ts')).to.equal(join(tree, 'src/a.ts'));
    expect(await place('link/x')).to.equal(join(folder.path, 'out/deep/x'));
    expect(await place(join(tree, 'link', 'x'))).to.equal(join(folder.path, 'out/deep/x'));
  });

  it('is unknown where programs differ, and behind a link to nothing', async () => {
    for (const path of ['link/../src/a.ts', 'link/../new', 'dangling', 'dangling/x', `${tree}/link/../src/a.ts`])
      expect(await place(path), path).to.equal(undefined);
  });
});
