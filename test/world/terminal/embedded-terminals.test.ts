import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import type { Terminal, Terminals } from '#world/terminal/terminal.ts';
import { EmbeddedFixture, skipWithoutPty } from '../embedded-fixture.ts';
import { deadPane, runs, screenWith } from '../terminal-fixture.ts';

const owner = fileURLToPath(new URL('./embedded-owner.ts', import.meta.url));

describe('panes within a process', () => {
  let fixture: EmbeddedFixture;
  let terminals: Terminals;
  let terminal: Terminal;
  const children: ChildProcess[] = [];

  before(skipWithoutPty);
  beforeEach(async () => {
    fixture = new EmbeddedFixture();
    terminals = await fixture.terminals();
    terminal = await terminals.of('agt_root');
  });
  afterEach(async () => {
    for (const child of children.splice(0).filter(({ exitCode, signalCode }) => exitCode === null && !signalCode)) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await fixture.close();
  });

  /** Starts a process that holds panes, and gives the ids of their programs. */
  async function startOwner(): Promise<{ child: ChildProcess; pids: number[] }> {
    const child = spawn(process.execPath, [owner, fixture.runDir, fixture.root], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
    return { child, pids: line.toString().trim().split(' ').map(Number) };
  }

  /** Opens a pane that shows something after a while. */
  async function slowly(agentId: string): Promise<void> {
    const pane = await terminal.open(fixture.shell(agentId, 'sleep 0.3; echo up; exec cat'));
    await screenWith(terminal, pane, 'up');
  }

  it('end when their terminal is released', async () => {
    const pane = await terminal.open(fixture.shell('agt_root', 'trap "" HUP; echo up; while :; do sleep 0.1; done'));
    await screenWith(terminal, pane, 'up');
    await terminals.detach();
    expect(runs(pane.pid)).to.equal(false);
    expect(await terminals.running()).to.deep.equal([]);
    expect(await (await terminals.of('agt_root')).panes()).to.deep.equal([]);
  });

  it('end with their process, even by kill -9; survivors end at the next start', async () => {
    const { child, pids } = await startOwner();
    const [plain = 0, stubborn = 0, last = 0] = pids;
    expect(pids.map(runs)).to.deep.equal([true, true, true]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await moment('those that listen to the hang-up have ended', () => !runs(plain) && !runs(last));
    expect(runs(stubborn)).to.equal(true);
    expect(await (await fixture.terminals()).running()).to.deep.equal([]);
    expect(runs(stubborn)).to.equal(false);
  });

  it('are spared by another process that starts meanwhile', async () => {
    const { pids } = await startOwner();
    const pane = await terminal.open(fixture.shell('agt_root', 'exec cat'));
    await fixture.terminals();
    expect([...pids, pane.pid].map(runs)).to.deep.equal([true, true, true, true]);
  });

  it('have ids that are never reused', async () => {
    const first = await terminal.open(fixture.shell('agt_root', 'exec cat'));
    await terminals.end('agt_root');
    const second = await (await terminals.of('agt_root')).open(fixture.shell('agt_root', 'exec cat'));
    expect(second.paneId).not.to.equal(first.paneId);
  });

  it('cannot be attached to, with the reason', async () => {
    const failure = await failureOf(() => terminals.windowOf('agt_root', 'x'));
    expect([failure.code, failure.message]).to.deep.equal(['failed_precondition', 'nobody attaches here']);
  });

  it('are in a terminal that their programs recognize, and no other', async () => {
    const say = 'printf "%s|%s" "$TERM" "$TMUX" > env.part; tput colors >> env.part; mv env.part env; exec cat';
    await terminal.open(fixture.shell('agt_root', say));
    expect(await moment('it is told', () => fixture.read('env'))).to.equal('xterm-256color|256\n');
  });

  it('show the last output of a program that exits immediately', async () => {
    for (let n = 0; n < 20; n += 1) {
      const pane = await terminal.open(fixture.shell(`agt_${n}`, 'seq 1 2000; echo last words'));
      await deadPane(terminal, `agt_${n}`);
      expect((await terminal.capture(pane.paneId))?.rows.at(-1)).to.equal('last words');
      await terminal.close(pane.paneId);
    }
  });

  it('slow down only a program that writes faster than it is read', async () => {
    const flood = await terminal.open(fixture.shell('agt_flood', 'exec yes "$(seq 1 40 | tr "\\n" " ")"'));
    const other = await terminal.open(fixture.shell('agt_other', 'stty -echo; while read -r a; do echo "<$a>"; done'));
    const rowsOfFlood = async () => (await terminal.capture(flood.paneId))?.rows ?? [];
    await moment('the screen is full', async () => (await rowsOfFlood()).length > 40);
    const before = process.memoryUsage().rss;
    for (let n = 0; n < 20; n += 1) {
      await terminal.paste(other.paneId, `line ${n}`);
      await terminal.submit(other.paneId);
      await screenWith(terminal, other, `<line ${n}>`);
      expect(await rowsOfFlood()).to.have.length.above(40);
    }
    expect(process.memoryUsage().rss - before).to.be.below(200 * 1024 * 1024);
    process.kill(flood.pid, 'SIGKILL');
    expect(await deadPane(terminal, 'agt_flood')).to.include({ exitSignal: 'SIGKILL' });
  });

  it('keep input for a program that does not read yet', async () => {
    const text = 'a line of some length\n'.repeat(20_000).trimEnd();
    const read = `stty raw -echo; echo up; head -c ${text.length} > typed.part; mv typed.part typed; exec cat`;
    const pane = await terminal.open(fixture.shell('agt_root', read));
    await screenWith(terminal, pane, 'up');
    process.kill(-pane.pid, 'SIGSTOP');
    expect(await terminal.paste(pane.paneId, text)).to.equal('written');
    expect(await terminal.submit(pane.paneId)).to.equal('written');
    process.kill(-pane.pid, 'SIGCONT');
    expect(await moment('all of it has come', () => fixture.read('typed'))).to.equal(text);
  });

  it('drop input for a program that ends without reading, and write to no other file', async () => {
    const text = 'x'.repeat(1_000_000);
    const pane = await terminal.open(fixture.shell('agt_root', 'stty raw -echo; echo up; sleep 1000'));
    await screenWith(terminal, pane, 'up');
    await terminal.paste(pane.paneId, text);
    await slowly('agt_1');
    // They are given the number that the terminal had, and are there when it would be tried again.
    const files: number[] = [];
    terminal.onHint(() => files.push(openSync(fixture.path(`file-${files.length}`), 'w')));
    process.kill(-pane.pid, 'SIGKILL');
    await deadPane(terminal, 'agt_root');
    await slowly('agt_2');
    expect(files).to.have.length.above(1);
    for (const file of files) {
      expect(fstatSync(file).size).to.equal(0);
      closeSync(file);
    }
  });
});
