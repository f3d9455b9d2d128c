import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { endProcesses, findProcess, listProcesses, type Process, treeOf } from '#world/process/process-tree.ts';
import { tiedToOwner } from '#world/tmux/owner-guard.ts';
import { runs } from '../terminal-fixture.ts';

const quick = { hangup: 200, terminate: 200, kill: 2000 };
/** Each signal has all the time that what obeys it takes, however busy the machine. */
const untilHangup = { ...quick, hangup: 30_000 };
const untilTerminate = { ...quick, terminate: 30_000 };

function one(pid: number, parent: number, session: number): Process {
  return { pid, parent, session, started: `${pid}` };
}

describe('a process tree', () => {
  const children: ChildProcess[] = [];
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'muster-test-tree-'));
  });

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  function start(line: string): number {
    const child = spawn('/bin/sh', ['-c', line], { cwd: folder, stdio: 'ignore', detached: true });
    children.push(child);
    return child.pid ?? 0;
  }

  /** The pid that a process has written to a file, once it is there whole. */
  function pidIn(name: string): Promise<number> {
    return moment(`a pid in ${name}`, () => {
      try {
        return Number(/^(\d+)\n/.exec(readFileSync(join(folder, name), 'utf8'))?.[1]);
      } catch {
        return undefined;
      }
    });
  }

  it('contains the root’s descendants and its session only', () => {
    const processes = [one(1, 0, 1), one(10, 1, 10), one(11, 10, 10), one(12, 1, 10), one(13, 12, 13), one(20, 1, 20)];
    expect(treeOf(processes, 10).map(({ pid }) => pid)).to.deep.equal([10, 11, 12, 13]);
    expect(treeOf(processes, 99)).to.deep.equal([]);
  });

  it('is read the same from /proc and from ps', async () => {
    const [fromProc, fromPs] = await Promise.all([listProcesses('linux'), listProcesses('darwin')]);
    const self = fromPs.find(({ pid }) => pid === process.pid);
    expect(self).to.include({ parent: fromProc.find(({ pid }) => pid === process.pid)?.parent });
    expect(self?.started).to.match(/^\w{3} \w{3} +\d+ [\d:]{8} \d{4}$/);
  });

  it('omits a process that has ended and was not collected', async () => {
    const pid = start('sh -c "echo \\$\\$ > zombie" & exec sleep 1000');
    const zombie = await pidIn('zombie');
    await moment('it has ended', () => !runs(zombie));
    expect(await findProcess(zombie)).to.equal(undefined);
    expect((await findProcess(pid))?.pid).to.equal(pid);
  });

  it('ends each process with the mildest sufficient signal', async () => {
    const polite = start('trap "echo hangup > said; exit" HUP; echo $$ > polite; while :; do sleep 0.01; done');
    const firm = start(
      'trap "" HUP; trap "echo terminate > firmly; exit" TERM; echo $$ > firm; while :; do sleep 0.01; done',
    );
    const stubborn = start('trap "" HUP TERM; echo $$ > stubborn; while :; do sleep 0.01; done');
    await Promise.all(['polite', 'firm', 'stubborn'].map(pidIn));
    const ended = await Promise.all([
      endProcesses((all) => treeOf(all, polite), untilHangup),
      endProcesses((all) => treeOf(all, firm), untilTerminate),
      endProcesses((all) => treeOf(all, stubborn), quick),
    ]);
    expect(ended).to.deep.equal([[], [], []]);
    expect([polite, firm, stubborn].map(runs)).to.deep.equal([false, false, false]);
    expect(readFileSync(join(folder, 'said'), 'utf8')).to.equal('hangup\n');
    expect(readFileSync(join(folder, 'firmly'), 'utf8')).to.equal('terminate\n');
  });

  it('ends processes started meanwhile, and orphans', async () => {
    // Its root names it: on its own it might be ended before it could say that it is there.
    const root = start(
      'trap "setsid sleep 1000 & echo \\$! > late; sleep 0.1; exit" HUP; echo $$ > up; while :; do sleep 0.01; done',
    );
    await pidIn('up');
    expect(await endProcesses((all) => treeOf(all, root), untilHangup)).to.deep.equal([]);
    const late = await pidIn('late');
    expect(runs(late)).to.equal(false);
  });

  it('never ends this process or its ancestors', async () => {
    const own = new Set([process.pid, process.ppid]);
    expect(await endProcesses((all) => all.filter(({ pid }) => own.has(pid)), quick)).to.deep.equal([]);
    expect(runs(process.ppid)).to.equal(true);
  });

  it('never ends a later process with the same pid', async () => {
    const pid = start('echo $$ > up; exec sleep 1000');
    await pidIn('up');
    const [found] = (await listProcesses()).filter((candidate) => candidate.pid === pid);
    const earlier = { ...found, started: 'before' } as Process;
    expect(await endProcesses(() => [earlier], quick)).to.deep.equal([]);
    expect(runs(pid)).to.equal(true);
  });

  for (const [how, setpriv] of [
    ['the kernel', '/usr/bin/setpriv'],
    ['a shell', undefined],
  ] as const) {
    it(`that is tied to its owner by ${how} ends with it`, async () => {
      const argv = tiedToOwner(['/bin/sh', '-c', 'cat > taken; echo $$ > child; exec sleep 1000'], setpriv);
      const script = `const { spawn } = require('node:child_process');
        const child = spawn(process.argv[1], process.argv.slice(2), { stdio: ['pipe', 'ignore', 'inherit'] });
        child.stdin.end('given'); setInterval(() => {}, 1000);`;
      const owner = spawn(process.execPath, ['-e', script, ...argv], { cwd: folder, stdio: 'ignore' });
      children.push(owner);
      const child = await pidIn('child');
      expect(readFileSync(join(folder, 'taken'), 'utf8')).to.equal('given');
      expect(runs(child)).to.equal(true);
      owner.kill('SIGKILL');
      await moment('it has ended', () => !runs(child));
    });
  }
});
