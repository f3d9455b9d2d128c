import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from './support/temporary-folder.ts';

const program = fileURLToPath(new URL('../bin/check.mjs', import.meta.url));
const programs = ['biome', 'tsc', 'knip'];

describe('npm run check', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('check');
    mkdirSync(join(folder.path, 'node_modules', '.bin'), { recursive: true });
    for (const name of programs) plant(name, 'exit 0');
  });
  afterEach(() => folder.remove());

  /** Puts a script instead of a program. */
  function plant(name: string, script: string): void {
    writeFileSync(join(folder.path, 'node_modules', '.bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  function check() {
    return spawnSync(process.execPath, [program], { cwd: folder.path, encoding: 'utf8' });
  }

  it('reports success', () => {
    const { status, stdout } = check();
    expect(status, stdout).to.equal(0);
    expect(stdout.match(/^ok +[\d.]+ s {2}/gm)).to.have.length(4);
  });

  for (const name of programs) {
    it(`fails if ${name} finds something, and prints all of it`, () => {
      plant(name, 'echo "found it"; echo "and why" >&2; exit 3');
      const { status, stdout } = check();
      expect(status).to.equal(1);
      expect(stdout).to.match(/^FAILED .*\n.*\(3\):\nfound it\nand why\n/m);
    });

    it(`fails if ${name} is killed`, () => {
      plant(name, 'kill -9 $$');
      expect(check()).to.deep.include({ status: 1 });
    });
  }

  it('runs both type checks, and accepts neither for the other', () => {
    plant('tsc', 'case "$*" in *src/page*) exit 2;; esac');
    const { status, stdout } = check();
    expect([status, stdout.match(/^FAILED/gm)?.length]).to.deep.equal([1, 1]);
  });
});
