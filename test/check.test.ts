import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from './support/temporary-folder.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const program = join(repository, 'bin/check.mjs');
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

  describe('the linter in a repository', () => {
    beforeEach(() => {
      spawnSync('git', ['init', '--quiet'], { cwd: folder.path });
      writeFileSync(join(folder.path, '.gitignore'), 'node_modules/\ncalls\n');
      mkdirSync(join(folder.path, 'lint'));
      for (const name of ['one.ts', 'two.ts']) write(name, 'export const x = 1;\n');
      plant('biome', 'echo "$*" >> calls; case "$*" in *"$REFUSED"*) exit 1;; esac');
      expect(lint()).to.deep.equal({ status: 0, calls: ['ci --error-on-warnings'] });
    });

    function write(name: string, text: string): void {
      writeFileSync(join(folder.path, name), text);
    }
    /** Checks, with a linter that finds something in the named file. Returns how the linter was called. */
    function lint(refused = 'nothing') {
      rmSync(join(folder.path, 'calls'), { force: true });
      const env = { ...process.env, REFUSED: refused };
      const { status } = spawnSync(process.execPath, [program], { cwd: folder.path, env });
      const calls = readFileSync(join(folder.path, 'calls'), 'utf8').trim().split('\n');
      // Both passes run at the same time.
      return { status, calls: calls.map((call) => call.replace(/ --config-path=.* -- /, ' … ')).toSorted() };
    }
    const across = 'lint --error-on-warnings --only=nursery/noFloatingPromises --only=suspicious/noImportCycles';

    it('reads no clean file again, but by the rules that follow imports', () => {
      expect(lint()).to.deep.equal({ status: 0, calls: [across] });
    });

    it('reads a changed, a new and a moved file until they are clean', () => {
      write('two.ts', 'export const x = 2;\n');
      write('three.ts', 'export const x = 1;\n');
      mkdirSync(join(folder.path, 'src'));
      renameSync(join(folder.path, 'one.ts'), join(folder.path, 'src', 'one.ts'));
      const all = { status: 1, calls: ['ci --error-on-warnings … src/one.ts three.ts two.ts', across] };
      expect(lint('three')).to.deep.equal(all);
      expect(lint('three')).to.deep.equal(all);
      expect(lint()).to.deep.equal({ ...all, status: 0 });
      expect(lint()).to.deep.equal({ status: 0, calls: [across] });
    });

    it('reads everything if a rule has changed, until all of it is clean', () => {
      const whole = ['ci --error-on-warnings'];
      write('lint/one.grit', 'a rule');
      expect(lint('ci')).to.deep.equal({ status: 1, calls: whole });
      expect(lint()).to.deep.equal({ status: 0, calls: whole });
      write('biome.json', '{}');
      expect(lint().calls).to.deep.equal(whole);
    });

    it('reads a clean file again if the rules that follow imports found something in any', () => {
      write('two.ts', 'export const x = 2;\n');
      const both = { status: 1, calls: ['ci --error-on-warnings … two.ts', across] };
      expect(lint('--only')).to.deep.equal(both);
      expect(lint('--only')).to.deep.equal(both);
    });
  });

  it('has no exception to the rules that follow imports, which a changed file could make needless', () => {
    const exceptions = [
      'grep',
      '-lE',
      'biome-ignore.*(noFloatingPromises|noImportCycles)',
      '--',
      ':!test/check.test.ts',
    ];
    const { status, stdout } = spawnSync('git', exceptions, { cwd: repository, encoding: 'utf8' });
    expect([status, stdout], 'git exits with 1 if it finds nothing').to.deep.equal([1, '']);
  });

  it('turns off within files what it reads across them', () => {
    const rules = JSON.parse(readFileSync(join(repository, 'biome.within-files.json'), 'utf8')).linter.rules;
    const all = JSON.parse(readFileSync(join(repository, 'biome.json'), 'utf8')).linter.rules;
    const off = Object.entries<Record<string, string>>(rules).flatMap(([group, named]) =>
      Object.keys(named).map((rule) => `${group}/${rule}`),
    );
    const follow = Object.entries<Record<string, unknown>>(all).flatMap(([group, named]) =>
      Object.keys(typeof named === 'string' ? {} : named)
        .filter(followsImports)
        .map((rule) => `${group}/${rule}`),
    );
    expect(off).to.deep.equal(follow);
    const text = readFileSync(join(repository, 'bin/lint-passes.mjs'), 'utf8');
    expect(/const acrossFiles = \[(.*)\];/.exec(text)?.[1]).to.equal(off.map((rule) => `'${rule}'`).join(', '));
  });
});

/** Whether the linter says that a rule reads more than one file: its domain is the project, or its types. */
function followsImports(rule: string): boolean {
  const { stdout } = spawnSync(join(repository, 'node_modules/.bin/biome'), ['explain', rule], { encoding: 'utf8' });
  return /^- Name: (?:project|types)$/m.test(stdout);
}
