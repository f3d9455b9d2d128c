import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import type { Terminal, Terminals } from '#world/terminal.ts';
import { hintsOf, runs, screenWith, TmuxFixture } from './tmux-fixture.ts';

describe('the panes of a family on tmux', function () {
  this.timeout(20_000);
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
    it('gives the screen with attributes, cursor, title, size and program', async () => {
      const print = String.raw`printf '\033[31mred\033[0m \\ $HOME ${'$'}{x} ~ "é" 漢字 🎉\n\033(0lqk\033(B\n\033]2;a | title\033\\end'; exec sleep 1000`;
      const pane = await terminal.open(fixture.shell('agt_root', print));
      const rows = await screenWith(terminal, pane, 'end');
      expect(rows).to.deep.equal([`\u001b[31mred\u001b[39m \\ $HOME ${'$'}{x} ~ "é" 漢字 🎉`, '┌─┐', 'end']);
      const capture = await moment('sleep is in the foreground', async () => {
        const now = await terminal.capture(pane.paneId);
        return now?.command === 'sleep' ? now : undefined;
      });
      expect(capture).to.deep.include({ title: 'a | title', width: 200, height: 50, inMode: false, dead: false });
      expect(capture.cursor).to.deep.equal({ column: 3, row: 2 });
    });

    it('reads the live screen and never the scrollback', async () => {
      const pane = await terminal.open(fixture.shell('agt_root', 'seq 1 300; exec cat'));
      const rows = await screenWith(terminal, pane, '300');
      expect(rows[0]).to.equal('252');
      expect(rows).to.have.length(49);
    });

    it('says that a person scrolls and that the program is dead', async () => {
      const pane = await terminal.open(fixture.shell('agt_root', 'read line'));
      const hints = hintsOf(terminal);
      fixture.tmux('agt_root', 'copy-mode', '-t', pane.paneId);
      expect(await terminal.capture(pane.paneId)).to.include({ inMode: true });
      await moment('a hint that the mode has moved', () => hints.some((hint) => hint.kind === 'output'));
      fixture.tmux('agt_root', 'send-keys', '-t', pane.paneId, '-X', 'cancel');
      fixture.tmux('agt_root', 'copy-mode', '-q', '-t', pane.paneId);
      await terminal.submit(pane.paneId, 's');
      await moment('the pane reads dead', async () => (await terminal.capture(pane.paneId))?.dead);
    });

    it('gives nothing for a pane that is not there, and leaves no buffer behind', async () => {
      const pane = await terminal.open(fixture.shell('agt_root', 'exec cat'));
      for (const id of ['%99', '%', 'muster:', '%1; kill-server', ''])
        expect(await terminal.capture(id)).to.equal(undefined);
      await terminal.capture(pane.paneId);
      expect(await terminal.stampOf('%99')).to.equal('');
      expect(fixture.tmux('agt_root', 'list-buffers')).to.equal('');
    });

    it('sees status sequences, also cut in the middle or wrapped for tmux, and keeps the last', async () => {
      const script = String.raw`stty -echo; printf '\033]7501;state=idle\007\033]9;4;1;10\033\\'; read a; printf '\033]7501;state=wor'; read a; printf 'king:msg=YQ==\033\\'; printf '\033Ptmux;\033\033]9;4;3;0\007\033\\'; exec cat`;
      const pane = await terminal.open(fixture.shell('agt_root', script));
      const status = async (wanted: string, progress: string) => {
        const capture = await terminal.capture(pane.paneId);
        return capture?.programStatus === wanted && capture.progress === progress;
      };
      await moment('the first status', () => status('state=idle', '1;10'));
      await terminal.submit(pane.paneId, 'one');
      await terminal.submit(pane.paneId, 'two');
      await moment('the second status', () => status('state=working:msg=YQ==', '3;0'));
    });
  });

  describe('life and death', () => {
    it('tells exit status and death, also where tmux lost the notice', async () => {
      for (let status = 1; status <= 12; status += 1) {
        const pane = await terminal.open(fixture.shell(`agt_${status}`, `read line; exit ${status}`));
        await terminal.submit(pane.paneId, 's');
        const dead = await moment(`death with status ${status}`, async () => {
          const found = (await terminal.panes()).find((one) => one.paneId === pane.paneId);
          return found?.dead && found.exitStatus !== undefined ? found : undefined;
        });
        expect(dead.exitStatus).to.equal(status);
      }
    });

    it('gives no exit status to a program that a signal ended', async () => {
      const pane = await terminal.open(fixture.shell('agt_root', 'exec cat'));
      process.kill(pane.pid, 'SIGKILL');
      const dead = await moment('it is dead', async () => (await terminal.panes()).find((one) => one.dead));
      expect(dead.exitStatus).to.equal(undefined);
    });

    it('hints at output at once and not more than every 50 ms, at deaths and at windows', async () => {
      const pane = await terminal.open(fixture.shell('agt_root', 'read a; seq 1 5000; exec cat'));
      const times: number[] = [];
      const kinds: string[] = [];
      terminal.onHint((hint) => {
        kinds.push(hint.kind);
        if (hint.kind === 'output') times.push(performance.now());
      });
      await terminal.submit(pane.paneId, 's');
      await screenWith(terminal, pane, '5000');
      await moment('a hint', () => times.length > 0);
      const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
      for (const gap of gaps) expect(gap).to.be.greaterThan(45);
      kinds.length = 0;
      process.kill(pane.pid, 'SIGKILL');
      await moment('a hint that panes have moved', () => kinds.includes('panes'));
      await moment('it is dead', async () => (await terminal.panes())[0]?.dead);
      kinds.length = 0;
      fixture.tmux('agt_root', 'kill-window', '-t', pane.paneId);
      await moment('a hint that the window has gone', () => kinds.includes('panes'));
      expect(await terminal.panes()).to.deep.equal([]);
    });

    it('stops hinting once the listener is taken away', async () => {
      const pane = await terminal.open(fixture.shell('agt_root', 'exec cat'));
      const hints: string[] = [];
      const stop = terminal.onHint((hint) => hints.push(hint.kind));
      stop();
      await terminal.paste(pane.paneId, 'hello', 's');
      await screenWith(terminal, pane, 'hello');
      expect(hints).to.deep.equal([]);
    });
  });

  describe('closing', () => {
    it('ends the whole tree: what ignores signals, has its own session, or was sent to the background', async () => {
      const script = [
        'trap "" HUP TERM',
        `sh -c 'trap "" HUP TERM; echo $$ > child; while :; do sleep 1; done' &`,
        `setsid -f sh -c 'trap "" HUP; echo $$ > daemon.part; mv daemon.part daemon; exec sleep 1000'`,
        'while :; do sleep 1; done',
      ].join('\n');
      const pane = await terminal.open(fixture.shell('agt_root', script));
      const pids = await moment('all have started', () => {
        const [child, daemon] = [Number(fixture.read('child')), Number(fixture.read('daemon'))];
        return child > 0 && daemon > 0 ? [pane.pid, child, daemon] : undefined;
      });
      expect(pids.map(runs)).to.deep.equal([true, true, true]);
      await terminal.close(pane.paneId);
      expect(pids.map(runs)).to.deep.equal([false, false, false]);
      expect(await terminal.panes()).to.deep.equal([]);
      await terminal.close(pane.paneId);
    });

    it('lets a program that listens to the hang-up end by itself', async () => {
      const pane = await terminal.open(
        fixture.shell('agt_root', 'trap "echo bye > bye; exit" HUP; echo up; while :; do sleep 0.01; done'),
      );
      await screenWith(terminal, pane, 'up');
      await terminal.close(pane.paneId);
      expect(fixture.read('bye')).to.equal('bye\n');
    });

    it('touches no other agent, not even one that was joined into the same window', async () => {
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
    it('attach to a session of their own, on the right window, and leave nothing behind', async () => {
      const [first, second] = [
        await terminal.open(fixture.shell('agt_1', 'exec cat')),
        await terminal.open(fixture.shell('agt_2', 'exec cat')),
      ];
      for (const [pane, readOnly] of [
        [first, false],
        [second, true],
      ] as const) {
        const argv = await terminals.attachCommand('agt_root', pane.paneId, readOnly);
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
      expect((await failureOf(() => terminals.attachCommand('agt_root', '%99', false))).code).to.equal('not_found');
      expect((await failureOf(() => terminals.attachCommand('agt_nobody', '%1', false))).code).to.equal('not_found');
    });
  });
});
