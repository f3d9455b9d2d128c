import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import type { Terminal, Terminals } from '#world/terminal/terminal.ts';
import { attachCommand } from '#world/tmux/attach.ts';
import { hintsOf, runs, screenWith } from '../terminal-fixture.ts';
import { TmuxFixture } from '../tmux-fixture.ts';

describe('the panes of a family on tmux', () => {
  let fixture: TmuxFixture;
  let terminals: Terminals;
  let terminal: Terminal;

  beforeEach(async () => {
    fixture = new TmuxFixture();
    terminals = fixture.terminals();
    terminal = await terminals.of('agt_root');
  });

  afterEach(() => fixture.close());

  describe('reading', () => {
    it('shows that a person scrolls and that the program has ended', async () => {
      const pane = await terminal.open(fixture.shell('agt_root', 'read line'));
      const hints = hintsOf(terminal);
      fixture.tmux('agt_root', 'copy-mode', '-t', pane.paneId);
      expect(await terminal.capture(pane.paneId)).to.include({ inMode: true });
      await moment('a hint that the mode has moved', () => hints.some((hint) => hint.kind === 'output'));
      fixture.tmux('agt_root', 'copy-mode', '-q', '-t', pane.paneId);
      await terminal.submit(pane.paneId, 's');
      await moment('the pane reads dead', async () => (await terminal.capture(pane.paneId))?.dead);
    });

    it('numbers output, the same if only digits and colours differ', async () => {
      const line = String.raw`for n in 1 22 333; do read l; printf '\033[3%dm%s left\n' $n $n; done; read l; printf 'x left\n'`;
      const pane = await terminal.open(fixture.shell('agt_root', `stty -echo; printf up; ${line}; exec cat`));
      await screenWith(terminal, pane, 'up');
      const named: string[] = [];
      for (const wanted of ['1 left', '22 left', '333 left', 'x left']) {
        const hints = hintsOf(terminal);
        await terminal.submit(pane.paneId, 's');
        await screenWith(terminal, pane, wanted);
        const hint = await moment('a hint', () => hints.find((one) => one.kind === 'output'));
        named.push(JSON.stringify(hint.kind === 'output' && hint.frames));
      }
      expect(named.slice(0, 3)).to.deep.equal(Array(3).fill(named[0]));
      expect(named[0]).to.match(/^\[\d+\]$/);
      expect(named[3]).to.not.equal(named[0]);
    });

    it('leaves no buffer behind', async () => {
      const pane = await terminal.open(fixture.shell('agt_root', 'exec cat'));
      await terminal.capture(pane.paneId);
      await terminal.capture('%99');
      expect(fixture.tmux('agt_root', 'list-buffers')).to.equal('');
    });

    it('causes a hint for a window that a person has closed', async () => {
      const pane = await terminal.open(fixture.shell('agt_root', 'exec cat'));
      const hints = hintsOf(terminal);
      fixture.tmux('agt_root', 'kill-window', '-t', pane.paneId);
      await moment('a hint that the window has gone', () => hints.some((hint) => hint.kind === 'panes'));
      expect(await terminal.panes()).to.deep.equal([]);
    });
  });

  describe('closing', () => {
    it('affects no other agent, not even one in the same window', async () => {
      const [one, two, three] = [
        await terminal.open(fixture.shell('agt_1', 'exec cat')),
        await terminal.open(fixture.shell('agt_2', 'exec cat')),
        await terminal.open(fixture.shell('agt_3', 'exec cat')),
      ];
      fixture.tmux('agt_root', 'join-pane', '-d', '-s', two.paneId, '-t', one.paneId);
      await terminal.close(one.paneId);
      expect((await terminal.panes()).map((pane) => [pane.agentId, pane.paneId, pane.dead])).to.deep.equal([
        ['agt_2', two.paneId, false],
        ['agt_3', three.paneId, false],
      ]);
      expect([two.pid, three.pid].map(runs)).to.deep.equal([true, true]);
    });
  });

  describe('people', () => {
    it('attach to their own session, at the right window, and leave nothing behind', async () => {
      const [first, second] = [
        await terminal.open(fixture.shell('agt_1', 'exec cat')),
        await terminal.open(fixture.shell('agt_2', 'exec cat')),
      ];
      for (const [pane, readOnly] of [
        [first, false],
        [second, true],
      ] as const) {
        const windowId = await terminals.windowOf('agt_root', pane.paneId);
        const argv = attachCommand(fixture.runDir, { family: 'agt_root', windowId }, readOnly);
        const line = argv.map((word) => `'${word}'`).join(' ');
        const person = spawn('script', ['-qec', line, '/dev/null'], {
          env: { ...process.env, TERM: 'xterm-256color', TMUX: '/tmp/other,1,0' },
          stdio: ['pipe', 'ignore', 'ignore'],
        });
        const clients = () =>
          fixture.tmux('agt_root', 'list-clients', '-F', '#{client_control_mode}|#{client_readonly}|#{pane_id}');
        await moment('the person sees the pane', () => clients().includes(`0|${readOnly ? 1 : 0}|${pane.paneId}`));
        expect(fixture.tmux('agt_root', 'list-sessions')).to.match(/muster.*\n.*\(attached\)/);
        const capture = await terminal.capture(pane.paneId);
        expect([capture?.width, capture?.height]).to.deep.equal([200, 50]);
        person.stdin.end();
        person.kill('SIGKILL');
        await moment(
          'the session of the person is gone',
          () => !fixture.tmux('agt_root', 'list-sessions').includes('\n'),
        );
      }
      expect(await terminal.panes()).to.have.length(2);
      expect((await failureOf(() => terminals.windowOf('agt_root', '%99'))).code).to.equal('not_found');
      expect((await failureOf(() => terminals.windowOf('agt_nobody', '%1'))).code).to.equal('not_found');
    });
  });
});
