import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { rolldown } from 'rolldown';
import { inSoak } from '#test/support/soak.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { builtProgram } from '../../../bin/program-state.mjs';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

describe('the bundled program', () => {
  let place: TemporaryFolder;
  beforeEach(() => {
    place = temporaryFolder('program');
  });
  afterEach(() => place.remove());

  const path = (...names: string[]): string => join(place.path, ...names);
  const run = (...args: string[]): { status: number | null; stdout: string; stderr: string } => {
    const env = { ...process.env, XDG_CACHE_HOME: path('cache'), MUSTER_HOME: path('home') };
    return spawnSync(process.execPath, args, { cwd: place.path, encoding: 'utf8', env });
  };

  it('is what the tests of muster start, too', () => {
    expect(builtProgram()).to.match(/dist\/program\/\w+\/main\.cjs$/);
  });

  describe('in a checkout of its own', () => {
    beforeEach(() => {
      for (const name of ['bin', 'src', 'actors', 'machines', 'bus']) {
        cpSync(join(repository, name), path(name), { recursive: true, preserveTimestamps: true });
      }
      for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(repository, name), path(name));
      symlinkSync(join(repository, 'node_modules'), path('node_modules'));
    });

    const built = (): string =>
      run('-p', "import('./bin/program-state.mjs').then((m) => console.log(m.builtProgram()))").stdout.split('\n')[0] ??
      '';
    const folders = (): string[] => readdirSync(path('dist/program')).filter((name) => !name.includes('.'));

    inSoak('counts until a source changes; then the sources run, and another is made', () => {
      utimesSync(path('package-lock.json'), 1, 1);
      expect(run('bin/program.mjs').stderr).to.equal('muster: bundling the program …\n');
      const first = built();
      expect(first).to.match(/main\.cjs$/);
      expect(run('bin/program.mjs').stderr, 'nothing to do').to.equal('');
      writeFileSync(first, "process.stdout.write('bundle ' + process.argv[2])");
      expect(run('bin/muster.mjs', '--help').stdout).to.equal('bundle --help');

      appendFileSync(path('src/cli/main.ts'), '// changed\n');
      expect(built()).to.equal('undefined');
      expect(run('bin/muster.mjs', '--help').stdout).to.match(/^Usage: muster/);

      for (const [index, name] of ['older', 'old', 'aged'].entries()) {
        mkdirSync(path('dist/program', name));
        utimesSync(path('dist/program', name), index + 1, index + 1);
      }
      utimesSync(path('src/cli/main.ts'), 1, 1);
      expect(run('bin/program.mjs').status).to.equal(0);
      expect(built())
        .to.match(/main\.cjs$/)
        .and.not.equal(first);
      const kept = folders();
      expect(kept).to.have.length(3);
      expect(kept).to.include('aged').and.include(first.split('/').at(-2));
      expect(run('bin/muster.mjs', '--help').stdout).to.match(/^Usage: muster/);
    });
  });

  /** Bundles files, beginning with `entry.js`, and runs a program that loads the bundle with its source map. */
  async function runBundled(files: Readonly<Record<string, string>>, code: string): Promise<string[]> {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
    }
    const bundle = await rolldown({ input: path('entry.js') });
    await bundle.write({ dir: path('out folder'), sourcemap: true });
    await bundle.close();
    const places = join(repository, 'bin/source-places.mjs');
    const program = `
      import { nameSourcePlaces } from ${JSON.stringify(places)};
      nameSourcePlaces(${JSON.stringify(path('out folder'))});
      await import(${JSON.stringify(path('out folder/entry.js'))}).catch(({ stack }) => console.log(stack));
      ${code}`;
    writeFileSync(path('program.mjs'), program);
    return run('program.mjs').stdout.split('\n');
  }

  it('maps stack traces to its sources', async () => {
    const files = {
      'with space/fails.js': "\nexport function fail() {\n  throw new TypeError('as asked');\n}\n",
      'entry.js': "import { fail } from './with space/fails.js';\nfail();\n",
    };
    const code = `
      console.log(new Error('of another file').stack);
      const unsaid = new Error();
      Object.defineProperty(unsaid, 'message', { get: () => { throw unsaid; } });
      console.log(unsaid.stack);`;
    const lines = await runBundled(files, code);
    expect(lines[0]).to.equal('TypeError: as asked');
    expect(lines[1]).to.match(/with%20space\/fails\.js:3:9\)?$/);
    expect(lines[2]).to.match(/entry\.js:2:1\)?$/);
    const other = lines.indexOf('Error: of another file');
    expect(lines[other + 1]).to.match(/program\.mjs:6:\d+$/);
  });

  it('reads no source map for an unread stack', async () => {
    const entry = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { readFileSync } = fs;
      fs.readFileSync = (...given) => {
        if (String(given[0]).endsWith('.map')) console.log('a map was read');
        return readFileSync(...given);
      };
      syncBuiltinESMExports();
      process.report.getReport();
      console.log(typeof new Error('close trace').stack);
      throw new Error('read by somebody');`;
    const lines = await runBundled({ 'entry.js': entry }, '');
    expect(lines.slice(0, 3)).to.deep.equal(['string', 'a map was read', 'Error: read by somebody']);
  });
});
