import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import type { runBundle } from '../../../bin/program-loader.mjs';

const loader = fileURLToPath(new URL('../../../bin/program-loader.mjs', import.meta.url));
const name: keyof { runBundle: typeof runBundle } = 'runBundle';

describe('the compiled code of a command or process', () => {
  let place: TemporaryFolder;
  beforeEach(() => {
    place = temporaryFolder('compiled code');
    mkdirSync(path('bundle'));
    writeFileSync(
      path('run.mjs'),
      `(await import(${JSON.stringify(loader)})).${name}(...process.argv.slice(2, 4), JSON.parse(process.argv[4]));`,
    );
  });
  afterEach(() => place.remove());

  const path = (...names: string[]): string => join(place.path, ...names);
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [file, text] of Object.entries(files)) writeFileSync(path('bundle', file), text);
  };
  const run = (use = 'ls', more: Readonly<Record<string, string>> = {}, startMs?: number) => {
    const argv = [path('run.mjs'), path('bundle', 'main.cjs'), path('cache'), JSON.stringify({ name: use, startMs })];
    const { stdout, stderr, status } = spawnSync(process.execPath, argv, {
      encoding: 'utf8',
      timeout: 20_000,
      env: { ...process.env, ...more },
    });
    return { stdout, stderr, status };
  };
  const codes = (): string[] => {
    const [folder = ''] = readdirSync(path('cache', 'commands'));
    return readdirSync(path('cache', 'commands', folder)).map((file) => path('cache', 'commands', folder, file));
  };
  const said = (text: string) => `exports.say = () => console.log('${text}', __filename.endsWith('.cjs'));`;

  it('is made by the first run, a file for each command, and used by the next', () => {
    const main = "require('./say-1.cjs').say(); if (process.env.FAILS) process.exit(3);";
    write({ 'main.cjs': main, 'say-1.cjs': said('one') });
    expect(run('ls', { FAILS: 'yes' }).status).to.equal(3);
    const [failed = ''] = codes();
    const inodeOf = (path: string) => statSync(path).ino;
    const made = inodeOf(failed);
    run('ls', { FAILS: 'yes' });
    expect(inodeOf(failed), 'of a failure, after another').to.equal(made);
    run();
    expect(inodeOf(failed), 'after a success').not.to.equal(made);
    expect(run()).to.deep.equal({ stdout: 'one true\n', stderr: '', status: 0 });
    expect(run('../../out').status).to.equal(0);
    const [file = '', other = ''] = codes().sort();
    expect([file, other].map((one) => one.split('/').at(-1))).to.deep.equal(['ls', 'other']);
    const { mtimeMs } = statSync(file);
    expect(run().stdout).to.equal('one true\n');
    expect(statSync(file).mtimeMs).to.equal(mtimeMs);
    utimesSync(file, 1, 1);
    run();
    expect(statSync(file).mtimeMs, 'made again after a day').to.be.above(mtimeMs);
  });

  it('never runs in place of other modules, or if it is damaged', () => {
    write({ 'main.cjs': "require('./say-1.cjs').say();", 'say-1.cjs': said('one'), 'say-2.cjs': said('two') });
    run();
    // As an upgrade does: of the same length, at the same place.
    write({ 'main.cjs': "require('./say-2.cjs').say();" });
    expect(run().stdout).to.equal('two true\n');
    const [file = ''] = codes();
    const whole = readFileSync(file);
    for (const bytes of [whole.subarray(0, 2), whole.subarray(0, whole.length - 100), Buffer.from('x'.repeat(50))]) {
      writeFileSync(file, bytes);
      expect(run()).to.deep.equal({ stdout: 'two true\n', stderr: '', status: 0 });
    }
  });

  it('of a process is kept after its start, and is not changed by what it does later', () => {
    // A process that runs long: it waits until its code is there, and only then loads another module.
    write({
      'main.cjs': `const { existsSync, readdirSync } = require('node:fs');
        const isKept = () => existsSync(process.env.CODES) && readdirSync(process.env.CODES, { recursive: true }).length > 1;
        const look = setInterval(() => isKept() && (clearInterval(look), require('./say-1.cjs').say()), 10);`,
      'say-1.cjs': said('later'),
    });
    const codesFolder = { CODES: path('cache', 'commands') };
    expect(run('registry-process', codesFolder, 1)).to.deep.equal({ stdout: 'later true\n', stderr: '', status: 0 });
    const [file = ''] = codes();
    const { ino } = statSync(file);
    expect(run('registry-process', codesFolder, 1).stdout).to.equal('later true\n');
    expect(statSync(file).ino, 'what it loads later is no part of its start').to.equal(ino);
  });

  it('is kept of the latest bundles only', () => {
    write({ 'main.cjs': '' });
    for (let place = 0; place < 20; place += 1) {
      const other = path('cache', 'commands', `other-${place}`);
      mkdirSync(other, { recursive: true });
      const at = Date.now() / 1_000 - 60 * (place + 1);
      utimesSync(other, at, at);
    }
    run();
    const left = readdirSync(path('cache', 'commands'));
    expect(left).to.have.length(12);
    const own = left.filter((name) => !name.startsWith('other-'));
    expect(left).to.have.members([...own, ...Array.from({ length: 11 }, (_, place) => `other-${place}`)]);
  });

  it('is not needed', () => {
    write({
      'main.cjs': "require('./say-1.cjs').say(); require('node:net');",
      'say-1.cjs': said('one'),
    });
    writeFileSync(path('cache'), 'not a folder');
    expect(run()).to.deep.equal({ stdout: 'one true\n', stderr: '', status: 0 });
    chmodSync(path('cache'), 0o000);
    expect(run().status).to.equal(0);
  });
});
