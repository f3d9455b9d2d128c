import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

describe('git/remove-tree', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('remove-tree');
  });
  afterEach(() => folder.remove());

  it('deletes read-only files, and nothing behind a link', function () {
    // Root may delete anything, so root hands the folder to nobody and acts as nobody, who must be able to run node.
    const isRoot = process.getuid?.() === 0;
    const nobody = 65_534;
    const owner = isRoot ? { uid: nobody, gid: nobody } : {};
    if (spawnSync(process.execPath, ['--version'], { cwd: '/', ...owner }).status !== 0) return this.skip();
    const path = (...names: string[]): string => join(folder.path, ...names);
    mkdirSync(path('tree/pkg/mod'), { recursive: true });
    mkdirSync(path('outside'));
    writeFileSync(path('outside/kept.txt'), 'kept');
    writeFileSync(path('tree/pkg/mod/go.mod'), 'x');
    symlinkSync('../../outside', path('tree/pkg/link'));
    if (isRoot)
      for (const name of ['.', 'tree', 'tree/pkg', 'tree/pkg/mod', 'outside']) chownSync(path(name), nobody, nobody);
    // Besides what cannot be deleted yet is what the first attempt is still at work on.
    const beside = Array.from({ length: 100 }, (_, index) => `tree/z${index}`);
    for (const name of beside) {
      mkdirSync(path(name, 'in'), { recursive: true });
      if (isRoot) for (const own of [path(name), path(name, 'in')]) chownSync(own, nobody, nobody);
    }
    for (const name of ['tree/pkg/mod', 'tree/pkg', 'outside']) chmodSync(path(name), 0o555);
    const module = new URL('../../../src/world/git/worktree/remove-tree.ts', import.meta.url).href;
    const program = `import { removeTree } from ${JSON.stringify(module)}; await removeTree('tree'); await removeTree('tree');`;
    execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: folder.path,
      // The user nobody may not read the folders above this one, where Node would look for what the suite has it load
      // first.
      env: {},
      ...owner,
    });
    expect(existsSync(path('tree'))).to.equal(false);
    expect(existsSync(path('outside/kept.txt'))).to.equal(true);
    chmodSync(path('outside'), 0o755);
  });
});
