import { chmodSync } from 'node:fs';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { foregroundOf } from '#world/process/foreground.ts';
import { showsProcessState } from '#world/process-state.ts';
import type { Pane, Terminal, TerminalHint, Terminals } from '#world/terminal/terminal.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';
import { deadPane, environment, hintsOf, screenWith } from '../terminal-fixture.ts';
import { TmuxFixture } from '../tmux-fixture.ts';

describe('the end of panes on tmux', () => {
  let fixture: TmuxFixture;
  let terminals: Terminals;
  let terminal: Terminal;

  beforeEach(async () => {
    fixture = new TmuxFixture();
    terminals = fixture.terminals();
    terminal = await terminals.of('agt_root');
  });
  afterEach(() => fixture.close());

  it('is distinguished from the end of their server', async () => {
    await terminal.open(fixture.shell('agt_root', 'exec cat'));
    expect(terminal.ended).to.equal(false);
    process.kill(fixture.serverPid('agt_root'), 'SIGKILL');
    await moment('the server has ended', () => terminal.ended);
    expect(await terminal.panes()).to.deep.equal([]);
    await terminal.open(fixture.shell('agt_root', 'exec cat'));
    expect(terminal.ended).to.equal(false);
  });

  describe('before tmux reports it', () => {
    before(function () {
      if (!showsProcessState) this.skip();
    });

    const hinted = (hints: readonly TerminalHint[], what: string) =>
      moment(`a hint: ${what}`, () => hints.some(({ kind }) => kind === 'panes'));

    it('causes one hint, and drops the cached panes', async () => {
      const pane = await terminal.open(fixture.shell('agt_root', 'exec cat'));
      await knownPanes([pane]);
      const hints = hintsOf(terminal);
      process.kill(pane.pid, 'SIGKILL');
      await hinted(hints, 'the program was ended');
      expect(terminal.knownPanes()).to.equal(undefined);
      const dead = await deadPane(terminal, 'agt_root');
      await knownPanes([dead]);
    });

    it('causes a hint if a program leaves its terminal and keeps running', async () => {
      const pane = await terminal.open(
        fixture.shell('agt_root', 'trap "" HUP; echo up; read l; exec <&- >&- 2>&-; sleep 1000'),
      );
      await screenWith(terminal, pane, 'up');
      await knownPanes([pane]);
      const hints = hintsOf(terminal);
      await terminal.submit(pane.paneId, 's');
      await hinted(hints, 'the terminal has hung up');
      await deadPane(terminal, 'agt_root');
      process.kill(pane.pid, 'SIGKILL');
    });

    it('is still possible on a stopped server', async () => {
      const pane = await terminal.open(fixture.shell('agt_root', 'exec cat'));
      await knownPanes([pane]);
      const hints = hintsOf(terminal);
      const server = fixture.serverPid('agt_root');
      process.kill(server, 'SIGSTOP');
      try {
        await hinted(hints, 'the server was stopped');
        expect(terminal.knownPanes()).to.equal(undefined);
      } finally {
        process.kill(server, 'SIGCONT');
      }
      await knownPanes([pane]);
    });

    /** Counts the panes until the count is stable: a new window is reported a little later. */
    async function knownPanes(panes: readonly Pane[]): Promise<void> {
      await moment('the count stands', async () => (await terminal.panes()) && terminal.knownPanes());
      expect(terminal.knownPanes()).to.deep.equal(panes);
    }
  });

  describe('after a new query', () => {
    it('is tmux’s own answer', async () => {
      const pane = await terminal.open(fixture.shell('agt_root', 'exec cat'));
      expect(await terminals.ask('agt_root')).to.deep.equal([pane]);
      expect(await fixture.terminals().ask('agt_root')).to.deep.equal([pane]);
      process.kill(pane.pid, 'SIGKILL');
      await deadPane(terminal, 'agt_root');
      expect((await terminals.ask('agt_root'))?.[0]).to.include({ dead: true, exitSignal: 'SIGKILL' });
      fixture.tmux('agt_root', 'kill-server');
      await moment('the server has ended', () => terminal.ended);
      expect(await terminals.ask('agt_root')).to.equal(undefined);
      expect(await terminals.ask('agt_never')).to.equal(undefined);
      expect(await terminals.running()).to.deep.equal([]);
    });

    it('is unknown if tmux does not answer', async () => {
      const { runDir } = fixture;
      const impatient = createTmuxTerminals({ runDir, environment, patience: 500 });
      const server = fixture.serverPid('agt_root');
      process.kill(server, 'SIGSTOP');
      try {
        expect(await failureOf(() => impatient.ask('agt_root'))).to.have.property('code', 'unavailable');
      } finally {
        process.kill(server, 'SIGCONT');
      }
      expect(await impatient.ask('agt_root')).to.deep.equal([]);
    });
  });

  describe('the foreground program', () => {
    const front = (pane: Pane) => terminal.frontProgram(pane.paneId);
    const becomes = (pane: Pane, name: string) =>
      moment(`${name} is in front`, async () => (await front(pane)) === name);

    function script(name: string, text: string): string {
      const path = fixture.write(name, `#!/bin/sh\n${text}\n`);
      chmodSync(path, 0o755);
      return path;
    }

    it('is a shell if a person types into it, also beside a stopped CLI', async () => {
      const bash = 'bash --norc --noprofile';
      const child = await terminal.open(fixture.window('agt_b', [script('child', `true; ${bash}; true`)]));
      await becomes(child, 'bash');
      const stopped = await terminal.open(fixture.shell('agt_c', `exec ${bash} -i`));
      await becomes(stopped, 'bash');
      await terminal.paste(stopped.paneId, 'cat', '');
      await terminal.press(stopped.paneId, ['Enter']);
      await becomes(stopped, 'cat');
      fixture.tmux('agt_root', 'send-keys', '-t', stopped.paneId, 'C-z');
      await becomes(stopped, 'bash');
    });

    it('is read the same from /proc and from ps', async () => {
      const pane = await terminal.open(fixture.window('agt_a', [script('both', 'sleep 60; true')]));
      await becomes(pane, 'sleep');
      const [fromProc, fromPs] = [await foregroundOf(pane.pid, 'linux'), await foregroundOf(pane.pid, 'darwin')];
      expect(fromPs).to.deep.equal(fromProc);
      expect(fromPs?.leader?.pid).to.equal(pane.pid);
      expect(fromPs?.others.map(({ words }) => words)).to.deep.equal([['sleep', '60']]);
    });
  });
});
