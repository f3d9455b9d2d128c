import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { isSoak } from '#test/support/soak.ts';
import { cancelledBy } from '#world/concurrency/cancellation.ts';
import { addWorktree, type WorktreeOptions } from '#world/git/worktree/worktree.ts';
import { findProcess } from '#world/process/process-tree.ts';
import { GitFixture } from '../git-fixture.ts';

/** One of a number of git calls is killed at a time. */
const stride = isSoak ? 1 : 3;

describe('git/worktree after a crash finishes', () => {
  const path = process.env['PATH'];
  let fixture: GitFixture;
  let order: WorktreeOptions;
  let base: string;
  beforeEach(() => {
    fixture = new GitFixture();
    fixture.repository('r', { 'a.txt': 'one\n', 'sub/b.txt': 'two\n', 'run.sh': '#!/bin/sh\n' });
    order = {
      repository: fixture.path('r'),
      path: fixture.path('w/one'),
      branch: 'muster/one-agt_1',
      reason: 'muster agt_1',
    };
    base = fixture.git('r', 'rev-parse', 'HEAD');
  });
  afterEach(() => {
    process.env['PATH'] = path;
    fixture.dispose();
  });

  function expectWhole(base: string): void {
    expect(fixture.git('w/one', 'status', '--porcelain')).to.equal('');
    expect(fixture.git('w/one', 'symbolic-ref', 'HEAD')).to.equal('refs/heads/muster/one-agt_1');
    expect(fixture.git('w/one', 'rev-parse', 'HEAD')).to.equal(base);
    expect(readFileSync(fixture.path('w/one/sub/b.txt'), 'utf8')).to.equal('two\n');
    expect(fixture.git('r', 'worktree', 'list', '--porcelain')).to.contain('locked muster agt_1');
    expect(readdirSync(fixture.path('r/.git/worktrees'))).to.have.length(1);
  }

  const admin = (...segments: string[]): string => fixture.path('r/.git/worktrees/one', ...segments);

  it('a branch without a folder', async () => {
    await addWorktree(order);
    rmSync(order.path, { recursive: true });
    rmSync(admin(), { recursive: true });
    expect((await addWorktree(order)).baseSha).to.equal(base);
    expectWhole(base);
  });

  it('a mark without a branch, on a base that has moved', async () => {
    fixture.git('r', 'update-ref', `refs/muster/base/${order.branch}`, base);
    const moved = fixture.commit('r', 'second');
    expect((await addWorktree(order)).baseSha).to.equal(moved);
    expectWhole(moved);
  });

  it('a reference with the lock of a killed git', async () => {
    for (const ref of [`refs/heads/${order.branch}`, `refs/muster/base/${order.branch}`]) {
      fixture.write(`r/.git/${ref}.lock`, '');
    }
    await addWorktree(order);
    expectWhole(base);
  });

  it('a partial checkout', async () => {
    await addWorktree(order);
    rmSync(fixture.path('w/one/sub'), { recursive: true });
    rmSync(admin('index'));
    writeFileSync(admin('index.lock'), 'half');
    await addWorktree(order);
    expectWhole(base);
  });

  it('a truncated note', async () => {
    await addWorktree(order);
    for (const file of ['HEAD', 'commondir', 'gitdir']) {
      rmSync(admin('index'), { force: true });
      rmSync(admin(file), { force: true });
      if (file === 'gitdir') rmSync(order.path, { recursive: true });
      await addWorktree(order);
      expectWhole(base);
    }
  });

  it('a truncated note, but not over a later folder', async () => {
    await addWorktree(order);
    rmSync(order.path, { recursive: true });
    for (const file of ['index', 'gitdir']) rmSync(admin(file));
    fixture.write('w/one/mine.txt', 'mine');
    expect((await failureOf(() => addWorktree(order))).code).to.equal('already_exists');
    expect(readFileSync(fixture.path('w/one/mine.txt'), 'utf8')).to.equal('mine');
  });

  it('a removed folder, and one without its pointer', async () => {
    await addWorktree(order);
    rmSync(order.path, { recursive: true });
    await addWorktree(order);
    expectWhole(base);
    rmSync(fixture.path('w/one/.git'));
    fixture.write('w/one/work.txt', 'work');
    await addWorktree(order);
    expect(fixture.git('w/one', 'status', '--porcelain')).to.equal('?? work.txt');
  });

  it('but waits for a git that is still checking files out', async () => {
    await addWorktree(order);
    const index = readFileSync(admin('index'));
    rmSync(admin('index'));
    const holder = spawn('sh', [
      '-c',
      'exec 9>"$1"; echo ready; read line; mv "$1" "$2"',
      'sh',
      admin('index.lock'),
      admin('index'),
    ]);
    await once(holder.stdout, 'data');
    writeFileSync(admin('index.lock'), index);
    fixture.write('w/one/kept.txt', 'kept');
    try {
      const again = addWorktree(order);
      expect(await Promise.race([again, pause(400, 'waiting')])).to.equal('waiting');
      expect(existsSync(admin('index.lock'))).to.equal(true);
      holder.stdin.write('go\n');
      await again;
    } finally {
      holder.stdin.end();
    }
    expect(existsSync(fixture.path('w/one/kept.txt'))).to.equal(true);
  });

  it('and keeps the lock of a working agent', async () => {
    await addWorktree(order);
    writeFileSync(admin('index.lock'), '');
    await addWorktree(order);
    expect(existsSync(admin('index.lock'))).to.equal(true);
  });

  it('after a kill at each git command', async () => {
    for (let call = 1; ; call += stride) {
      const isDone = await addAndDie(fixture, order, call);
      expect((await addWorktree(order)).baseSha, `after call ${call}`).to.equal(base);
      expectWhole(base);
      if (isDone) {
        expect(call).to.be.greaterThan(5);
        return;
      }
      fixture.git('r', 'worktree', 'remove', '-f', '-f', order.path);
      fixture.git('r', 'update-ref', '-d', `refs/heads/${order.branch}`);
      fixture.git('r', 'update-ref', '-d', `refs/muster/base/${order.branch}`);
    }
  });

  it('and undoes everything if only git was killed', async () => {
    for (let call = 1; ; call += stride) {
      process.env['PATH'] = path;
      fakeGit(fixture, call, 'kill -9 $$');
      process.env['PATH'] = `${fixture.path('bin')}:${path}`;
      const made = await addWorktree(order).catch(() => undefined);
      if (made !== undefined) {
        expect(call).to.be.greaterThan(5);
        return;
      }
      expect(existsSync(order.path), `killed call ${call}`).to.equal(false);
    }
  });

  it('after a cancellation while git hangs: git ends at once, and the folder is removed', async () => {
    for (let call = 1; ; call += stride) {
      process.env['PATH'] = path;
      const pid = fixture.path('hanging');
      rmSync(pid, { force: true });
      fakeGit(fixture, call, `echo $$ > ${pid}.new && mv ${pid}.new ${pid} && sleep 60`);
      process.env['PATH'] = `${fixture.path('bin')}:${path}`;
      const abort = new AbortController();
      let end = '';
      const made = cancelledBy(abort.signal, () => addWorktree(order)).then(
        () => 'made',
        (error: unknown) => (error as Error).message,
      );
      void made.then((how) => {
        end = how;
      });
      await moment('git hangs, or is done', () => end !== '' || existsSync(pid));
      if (end !== '') {
        expect(end).to.equal('made');
        expect(call).to.be.greaterThan(5);
        return;
      }
      const started = performance.now();
      abort.abort();
      expect(await made, `call ${call}`).to.contain('was cancelled');
      expect(performance.now() - started).to.be.lessThan(20_000);
      expect(existsSync(order.path), `call ${call}`).to.equal(false);
      const hung = Number(readFileSync(pid, 'utf8'));
      await moment('git has ended', async () => (await findProcess(hung)) === undefined);
    }
  });

  it('a checkout that was killed halfway', async () => {
    for (let file = 0; file < 3_000; file += 1) fixture.write(`r/many/${file % 50}/${file}.txt`, `${file}\n`);
    base = fixture.commit('r', 'many');
    const program = `import { addWorktree } from '#world/git/worktree/worktree.ts'; await addWorktree(${JSON.stringify(order)});`;
    const child = runModule(fixture, program, process.env['PATH'] ?? '');
    const ended = once(child, 'exit');
    await moment('the first files', () => existsSync(fixture.path('w/one/many/1')));
    child.kill('SIGKILL');
    await ended;
    await addWorktree(order);
    expectWhole(base);
  });
}).timeout(120_000);

/** Puts a program before git that does the same, and after the given call something else too. */
function fakeGit(fixture: GitFixture, calls: number, then: string): void {
  const dirs = (process.env['PATH'] ?? '').split(':');
  const real = dirs.map((dir) => join(dir, 'git')).find((path) => existsSync(path));
  const count = fixture.path('count');
  rmSync(count, { force: true });
  const lines = [
    '#!/bin/sh',
    `${real} "$@"; code=$?`,
    `echo >> ${count}`,
    `[ $(wc -l < ${count}) -eq ${calls} ] && ${then}`,
    'exit $code',
  ];
  fixture.write('bin/git', `${lines.join('\n')}\n`, 0o755);
}

/** Runs a program in its own node. What it would have tidied up is left in the fixture's folder. */
function runModule(fixture: GitFixture, program: string, path: string): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: new URL('../../..', import.meta.url),
    env: { ...process.env, TMPDIR: fixture.root, PATH: path },
    stdio: 'inherit',
  });
}

/** Runs addWorktree in a process that is killed once git has run `calls` times. True if it ended normally. */
async function addAndDie(fixture: GitFixture, order: WorktreeOptions, calls: number): Promise<boolean> {
  const owner = fixture.path('owner');
  fakeGit(fixture, calls, `kill -9 $(cat ${owner})`);
  const program = `import { writeFileSync } from 'node:fs'; import { addWorktree } from '#world/git/worktree/worktree.ts';
    writeFileSync(${JSON.stringify(owner)}, String(process.pid)); await addWorktree(${JSON.stringify(order)});`;
  const child = runModule(fixture, program, `${fixture.path('bin')}:${process.env['PATH']}`);
  const [code] = await once(child, 'exit');
  return code === 0;
}
