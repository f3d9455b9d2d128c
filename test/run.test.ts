import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { inSoak } from '#test/support/soak.ts';
import { findProcess } from '#world/process/process-tree.ts';
import { makeSocketFolder } from '#world/tmux/socket-folder.ts';
import { selectTests } from './selection.ts';
import { moment } from './support/moment.ts';
import { someOf } from './support/some-of.ts';
import { type TemporaryFolder, temporaryFolder } from './support/temporary-folder.ts';

const program = fileURLToPath(new URL('./run.ts', import.meta.url));

describe('test runner', () => {
  let place: TemporaryFolder;
  let temporary: string;
  beforeEach(() => {
    place = temporaryFolder('runner');
    temporary = join(place.path, 'tmp');
    mkdirSync(temporary);
  });
  afterEach(() => place.remove());

  /** Writes a file with one test that has this body, and returns its path. */
  function plant(name: string, body: string): string {
    const file = join(place.path, `${name}.test.mjs`);
    writeFileSync(
      file,
      `import { spawn } from 'node:child_process';
       import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
       import { tmpdir } from 'node:os';
       import { join } from 'node:path';
       const startNode = (script) =>
         new Promise((done) => spawn(process.execPath, ['-e', script], { stdio: 'ignore' }).once('exit', () => done()));
       it('is planted', () => { ${body} });`,
    );
    return file;
  }

  /** Runs one test whose body is given, and further files; gives the status, the whole output and its last line. */
  function run(body: string, ...others: string[]) {
    const file = plant('planted', body);
    const env = { ...process.env, CI: 'true', TMPDIR: temporary, MUSTER_PORT: '1', SERVICE_TOKEN: 'x' };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...others, file], {
      env,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr, last: stdout.trimEnd().split('\n').at(-1) };
  }

  it('counts passed and failed tests, and prints that line last', () => {
    expect(run('')).to.deep.include({ status: 0, last: '1 passed, 0 failed' });
    expect(run(`throw new Error('no');`)).to.deep.include({ status: 1, last: '0 passed, 1 failed' });
  });

  it('fails if the tests do not run to their end', () => {
    for (const body of someOf(['process.exit(0)', `process.kill(process.pid, 'SIGKILL')`], 1)) {
      expect(run(body), body).to.deep.include({ status: 1, last: '0 passed, 1 failed' });
    }
  });

  it('repeats each failure in full at the end of a run of several files, and says first which turn its cases have', () => {
    const other = join(place.path, 'other.test.mjs');
    writeFileSync(other, `it('passes', () => {});`);
    const { output } = run(
      `const error = new Error('turn ' + process.env.MUSTER_TEST_TURN); Object.assign(error, { actual: 'abc', expected: 'abd', showDiff: true }); throw error;`,
      other,
    );
    const [, end = ''] = output.split(`Failed in ${join(place.path, 'planted.test.mjs')}:`);
    const [, turn] = /^.*MUSTER_TEST_TURN=(\d+) /.exec(output) ?? [];
    expect(end)
      .to.include('is planted')
      .and.to.include(`turn ${turn}`)
      .and.to.include('-abc')
      .and.to.include('+abd')
      .and.to.match(/planted\.test\.mjs:\d+/);
    expect(output).not.to.include('\u001b');
  });

  inSoak('prints a line for each file in CI, and failures in full', () => {
    const { output } = run(`console.log('noise'); throw new Error('no');`);
    expect(output).to.match(
      /^FAILED +[\d.]+ s +[\d.]+ s CPU {2}\S+planted\.test\.mjs: 0 passed, 1 failed\n\nFailed in \S+planted.test.mjs:\n/,
    );
    expect(output).to.include('Error: no').and.to.include('Its process printed:\nnoise');
    expect(run('').output).to.match(
      /^ok +[\d.]+ s +[\d.]+ s CPU {2}\S+planted\.test\.mjs: 1 passed\n\n1 passed, 0 failed\n$/,
    );
  });

  inSoak('measures the processor time of a test and of its child processes', () => {
    const burn = 'for (const end = process.cpuUsage().user + 4e5; process.cpuUsage().user < end; );';
    for (const body of [burn, `return startNode('${burn}');`]) {
      const [, seconds] = /([\d.]+) s CPU/.exec(run(body).output) ?? [];
      expect(Number(seconds), body).to.be.within(0.4, 5);
    }
  });

  it('reruns up to ten failed files with --again, and names those that then pass', () => {
    const once = `const mark = '${temporary}/../ran'; if (existsSync(mark)) return; writeFileSync(mark, ''); writeFileSync(process.env.TMPDIR + '/left', ''); throw new Error('loaded');`;
    const unsteady = plant('unsteady', once);
    const { status, output, last } = run('', unsteady, '--again');
    expect({ status, last }).to.deep.equal({ status: 0, last: '2 passed, 0 failed' });
    expect(output).to.include(`Unsteady: ${unsteady}`).and.to.include('Error: loaded');
    expect(output).to.match(/Left behind beside failures:\n {2}in the temporary folder: \S+\/left\n/);
    expect(run(`throw new Error('no');`, '--again')).to.deep.include({ status: 1, last: '0 passed, 1 failed' });
  });

  inSoak('reruns none with --again if more than ten failed', () => {
    const broken = [...'abcdefghij'].map((name) => plant(name, `throw new Error('no');`));
    const many = run(`throw new Error('no');`, ...broken, '--again');
    expect(many.last).to.equal('0 passed, 11 failed');
    expect(many.output).not.to.include('Once more');
  });

  inSoak('counts the tests of a process that cannot exit', () => {
    const body = `process.on('exit', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));`;
    expect(run(body)).to.deep.include({ status: 0, last: '1 passed, 0 failed' });
  });

  inSoak('prints the output of a process that died', () => {
    const { output } = run(
      `process.stderr.write('last words\\n', () => process.kill(process.pid, 'SIGKILL')); return new Promise(() => {});`,
    );
    expect(output).to.match(/did not run to its end \(SIGKILL\)[\s\S]*last words/);
  });

  it('fails on an unhandled error, in the tests’ own process and in a child', () => {
    const bodies = someOf(
      [
        `Promise.reject(new Error('lost')); return new Promise((done) => setTimeout(done, 10));`,
        `Promise.reject(new Error('lost'));`,
        `return startNode('Promise.reject(new Error("lost"))');`,
        `return startNode('process.on("unhandledRejection", () => {}); Promise.reject(new Error("lost"))');`,
        `return startNode('new (require("node:events"))().emit("error", new Error("lost"))');`,
      ],
      1,
      2,
    );
    const others = bodies.map((body, index) => plant(`other-${index}`, body));
    const { last, output } = run('', ...others);
    expect(last, output).to.equal(`${bodies.length + 1} passed, ${bodies.length} failed`);
    for (const file of others) {
      const [, told = ''] = output.split(`Failed in ${file}:`);
      expect(told.split('Failed in')[0], file).to.include('Error: lost');
    }
    expect(run(`return startNode('Promise.reject(new Error("held")).catch(() => {})');`).status).to.equal(0);
  });

  inSoak('runs the other files if one cannot be loaded', () => {
    const broken = join(place.path, 'broken.test.mjs');
    writeFileSync(broken, `import './absent.mjs';`);
    const { status, output, last } = run('', broken);
    expect({ status, last }).to.deep.equal({ status: 1, last: '1 passed, 1 failed' });
    expect(output).to.include(broken).and.to.include('ERR_MODULE_NOT_FOUND');
  });

  it('fails if a test leaves a file, and removes it', () => {
    const { status, output, last } = run(`mkdtempSync(join(tmpdir(), 'forgotten-'));`);
    expect({ status, last }).to.deep.equal({ status: 1, last: '1 passed, 1 failed' });
    const [, left = ''] = /in the temporary folder: (\S+forgotten-\S+)/.exec(output) ?? [];
    expect(left).to.include(temporary);
    expect(existsSync(left)).to.equal(false);
  });

  it('fails if a test writes at the top of the file system', function () {
    if (process.getuid?.() !== 0) this.skip();
    const written = `/${basename(place.path)}`;
    try {
      const { status, output, last } = run(`mkdirSync('${written}/.cache', { recursive: true });`);
      expect({ status, last }).to.deep.equal({ status: 1, last: '1 passed, 1 failed' });
      expect(output).to.include(`outside the temporary folder: ${written} (1 in it: .cache)`);
    } finally {
      rmSync(written, { recursive: true, force: true });
    }
  });

  it('fails if a test leaves a process, and ends it', async () => {
    const sleeper = `const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }); child.unref();`;
    const { status, output, last } = run(sleeper);
    expect({ status, last }).to.deep.equal({ status: 1, last: '1 passed, 1 failed' });
    const pid = Number(/process (\d+): sleep 600/.exec(output)?.[1]);
    await moment('it is gone', async () => (await findProcess(pid)) === undefined);
  });

  it('runs the tests of a folder or a pattern, and nothing if a word matches none', () => {
    const folder = join(place.path, 'inner');
    mkdirSync(join(folder, 'deeper'), { recursive: true });
    for (const name of ['one.test.mjs', 'deeper/two.test.mjs', 'helper.mjs']) {
      writeFileSync(join(folder, name), `it('runs', () => {});`);
    }
    expect(run('', folder)).to.deep.include({ status: 0, last: '3 passed, 0 failed' });
    expect(run('', `${folder}/*.test.mjs`)).to.deep.include({ status: 0, last: '2 passed, 0 failed' });
    for (const word of [join(folder, 'none'), '--grap']) {
      const { status, output } = run('', word);
      expect(status).to.equal(2);
      expect(output).to.include(word).and.not.to.include('passed');
    }
  });

  it('runs the tests whose title contains the words after --grep, and fails if there are none', () => {
    const file = join(place.path, 'two.test.mjs');
    writeFileSync(file, `describe('a (lock)', () => { it('opens', () => {}); it('jams', () => { throw 1; }); });`);
    expect(run('', file, '--grep', '(lock) opens')).to.deep.include({ status: 0, last: '1 passed, 0 failed' });
    expect(run('', file, '--grep=jams')).to.deep.include({ status: 1, last: '0 passed, 1 failed' });
    const { status, output } = run('', file, '--grep', 'rusts');
    expect(status).to.equal(1);
    expect(output).to.include('No test ran whose title contains "rusts"');
  });

  it('prints its options for --help, and runs nothing', () => {
    const { status, output } = run('', '--help');
    expect(status).to.equal(0);
    expect(output)
      .to.match(/^npm test /)
      .and.not.to.match(/\d passed/);
  });

  it('runs the lab, the conformance suites and soak tests only if named', () => {
    const repository = fileURLToPath(new URL('..', import.meta.url));
    const usual = selectTests([], repository);
    expect(usual).to.include('test/run.test.ts').and.to.include('test/cli/agent/ls.test.ts');
    expect(usual.filter((file) => /lab\/|conformance\/|\.soak\./.test(file))).to.deep.equal([]);
    expect(selectTests(['test/crash'], repository))
      .to.include('test/crash/mail.test.ts')
      .and.not.to.match(/soak/);
    expect(selectTests(['test/**/*.soak.test.ts'], repository)).to.include('test/crash/firing.soak.test.ts');
    expect(selectTests(['./test/lab/'], repository)).to.include('test/lab/claude.test.ts');
    expect(selectTests(['test/lab/claude.test.ts', 'test/lab'], repository)[0]).to.equal('test/lab/claude.test.ts');
  });

  inSoak('hides a person’s own settings from the tests', () => {
    const look = `if (Object.keys(process.env).some((name) => /^(MUSTER_(?!TEST_|ISOLATION$)|SERVICE_)/.test(name))) throw new Error('seen');`;
    expect(run(look).status).to.equal(0);
  });

  it('cleans up after a killed run', async () => {
    mkdirSync(join(temporary, 'muster-suite-999999999-x'));
    const sleeper = spawn('sleep', ['600'], { cwd: join(temporary, 'muster-suite-999999999-x'), stdio: 'ignore' });
    // Where its state folder has a long path, its sockets are elsewhere.
    const sockets = await makeSocketFolder(join(temporary, 'muster-suite-999999999-x', 'x'.repeat(90), 'run'));
    expect(existsSync(sockets)).to.equal(true);
    expect(run('').status).to.equal(0);
    await moment('it is gone', () => sleeper.signalCode);
    expect([join(temporary, 'muster-suite-999999999-x'), sockets].filter(existsSync)).to.deep.equal([]);
  });
});
