import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { findProcess } from '#world/process/process-tree.ts';
import { runScript, type ScriptEnd, type ScriptRun } from '#world/process/script.ts';

describe('script', () => {
  let dir: string;
  let output: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'muster-test-script-'));
    output = '';
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  function run(command: string, options: Partial<ScriptRun> = {}): Promise<ScriptEnd> {
    const env = { PATH: process.env['PATH'] ?? '', WORD: 'given' };
    const onOutput = (text: string): void => {
      output += text;
    };
    return runScript({ command, cwd: dir, env, timeoutMs: 10_000, onOutput, ...options });
  }

  it('runs in the folder with exactly the given environment', async () => {
    process.env['MUSTER_TEST_LEAK'] = 'leak';
    const end = await run('echo "$WORD $MUSTER_TEST_LEAK in $(pwd)"; echo trouble >&2; cat; exit 3');
    delete process.env['MUSTER_TEST_LEAK'];
    expect(end).to.deep.equal({ exitCode: 3, timedOut: false });
    expect(output).to.contain(`given  in ${dir}\n`).and.to.contain('trouble\n');
  });

  it('is passed to no program that others, or the repository, put on the PATH', async () => {
    const shared = join(dir, 'shared');
    mkdirSync(shared);
    for (const folder of [shared, dir])
      writeFileSync(join(folder, 'cat'), '#!/bin/sh\necho echo planted', { mode: 0o755 });
    chmodSync(shared, 0o777);
    for (const planted of [shared, '.', '']) {
      await run('echo as it is', { env: { PATH: `${planted}:${process.env['PATH'] ?? ''}` } });
    }
    expect(output).to.equal('as it is\n'.repeat(3));
  });

  it('streams output, never within a character', async () => {
    const pieces: string[] = [];
    const running = run(`printf '\\303'; sleep 0.2; printf '\\274\\n'; read x < ${dir}/go; echo end`, {
      onOutput: (text) => pieces.push(text),
    });
    await run(`mkfifo ${dir}/go`);
    await moment('the whole character', () => pieces.join('') === 'ü\n');
    await run(`echo go > ${dir}/go`);
    await running;
    expect(pieces.join('')).to.equal('ü\nend\n');
    expect(pieces.join('')).to.not.contain('\ufffd');
  });

  it('ends the whole group at the time limit, including processes that ignore SIGTERM', async () => {
    const end = await run(`trap '' TERM; sh -c 'echo $$ > pid; while :; do sleep 0.05; done' & wait; wait`, {
      timeoutMs: 1_000,
    });
    expect(end).to.deep.equal({ exitCode: undefined, signal: 'SIGKILL', timedOut: true });
    const pid = Number(readFileSync(join(dir, 'pid'), 'utf8'));
    await moment('its end', async () => (await findProcess(pid)) === undefined);
  });

  it('lets a script clean up', async () => {
    const end = await run(`trap 'touch tidied; exit 7' TERM; echo ready; while :; do sleep 0.05; done`, {
      timeoutMs: 1_000,
    });
    expect(end).to.deep.equal({ exitCode: 7, timedOut: true });
    expect(existsSync(join(dir, 'tidied'))).to.equal(true);
  });

  it('ends the group on abort, and does not start if it is aborted already', async () => {
    const abort = new AbortController();
    const running = run('echo ready; sleep 30', { signal: abort.signal });
    await moment('its first words', () => output === 'ready\n');
    abort.abort();
    expect(await running).to.deep.equal({ exitCode: undefined, signal: 'SIGTERM', timedOut: false });
    expect(await run('touch started', { signal: abort.signal })).to.deep.equal({
      exitCode: undefined,
      timedOut: false,
    });
    expect(existsSync(join(dir, 'started'))).to.equal(false);
  });

  it('ends with the script, even if a leftover process holds its output', async () => {
    const started = performance.now();
    expect(await run('sleep 60 & echo $! > pid; echo done')).to.deep.equal({ exitCode: 0, timedOut: false });
    expect(performance.now() - started).to.be.lessThan(10_000);
    const left = Number(readFileSync(join(dir, 'pid'), 'utf8'));
    expect(await findProcess(left)).to.have.property('pid', left);
    process.kill(left, 'SIGKILL');
  });

  it('refuses a missing folder', async () => {
    const error = await failureOf(() => run('true', { cwd: join(dir, 'gone') }));
    expect(error.code).to.equal('failed_precondition');
    expect(error.message).to.contain(join(dir, 'gone'));
  });
}).timeout(60_000);
