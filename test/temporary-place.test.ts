import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from './support/temporary-folder.ts';
import { temporaryPlace } from './temporary-place.ts';

const usual = realpathSync(tmpdir());

describe('the place of temporary files', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('place');
  });
  afterEach(() => folder.remove());

  it('is the configured one', () => {
    expect(temporaryPlace(folder.path)).to.equal(realpathSync(folder.path));
  });

  it('is the system’s without enough memory', () => {
    for (const place of [folder.path, `${folder.path}/missing`]) {
      expect(temporaryPlace(undefined, place)).to.equal(usual);
    }
  });

  it('is in memory if there is space, and programs may be executed', function () {
    const { path } = folder;
    const mount = (options: string): boolean =>
      spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'muster-test', path]).status === 0;
    if (process.availableMemory() < 8 * 1024 ** 3 || !mount('size=5g')) this.skip();
    try {
      expect(temporaryPlace(undefined, path)).to.equal(realpathSync(path));
      for (const options of ['remount,size=1g', 'remount,size=5g,noexec']) {
        expect(mount(options), options).to.equal(true);
        expect(temporaryPlace(undefined, path), options).to.equal(usual);
      }
    } finally {
      spawnSync('umount', ['--lazy', path]);
    }
  });
});
