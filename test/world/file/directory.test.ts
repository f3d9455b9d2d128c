import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { isUnlinked } from '#world/file/directory.ts';

describe('a directory that was checked earlier', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('directory');
    mkdirSync(join(folder.path, 'trees/own/sub/deep'), { recursive: true });
    mkdirSync(join(folder.path, 'secret/deep'), { recursive: true });
    symlinkSync(join(folder.path, 'trees'), join(folder.path, 'home'));
  });
  afterEach(() => folder.remove());

  const at = (...names: string[]) => join(folder.path, ...names);
  const replace = (name: string): void => {
    renameSync(at(name), at('old'));
    symlinkSync(at('secret'), at(name));
  };

  it('is the same, also below a person’s own link', async () => {
    expect(await isUnlinked(at('trees/own/sub'), at('trees'))).to.equal(true);
    expect(await isUnlinked(at('home/own/sub'), at('home'))).to.equal(true);
  });

  it('is another one if it, or a folder of its path, was replaced by a link', async () => {
    replace('trees/own/sub');
    for (const root of ['trees', 'home']) {
      expect(await isUnlinked(at(root, 'own/sub'), at(root))).to.equal(false);
      expect(await isUnlinked(at(root, 'own/sub/deep'), at(root))).to.equal(false);
    }
    expect(await isUnlinked(at('trees/own/sub'), at('elsewhere'))).to.equal(false);
  });

  it('is undefined if it does not exist', async () => {
    expect(await isUnlinked(at('trees/none'), at('trees'))).to.equal(false);
  });
});
