import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { Failure } from '#contract/failure.ts';
import type { Terminal, Terminals } from '#world/terminal.ts';
import { environment, hintsOf, moment, runs, screenWith, TmuxFixture } from './tmux-fixture.ts';

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).to.be.instanceOf(Failure);
  return error as Failure;
}

describe('a family on tmux', function () {
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

  describe('opening', () => {
    it('runs the program with its arguments, directory and variables exactly as given', async () => {
      const cwd = fixture.folder('a "b" #[x] #(touch pwned) ~ $HOME ;');
      const values = { PLAIN: 'x', HARD: ' a"b\'c\\ $HOME #{pid} ~;\n\tend;', WIDE: '漢字 🎉' };
      const script = 'pwd > ../out; printf "%s|" "$PLAIN" "$HARD" "$WIDE" "$@" >> ../out; mv ../out ../done; exec cat';
      const argv = ['/bin/sh', '-c', script, 'sh', '; kill-server', '#(touch pwned)', '{', '-h', ''];
      const pane = await terminal.open(fixture.window('agt_root', argv, { cwd, env: values }));
      const said = await moment('the program has spoken', () => fixture.read('done'));
      expect(said).to.equal(`${cwd}\n${Object.values(values).join('|')}|; kill-server|#(touch pwned)|{|-h||`);
      expect(existsSync(fixture.path('pwned'))).to.equal(false);
      expect(pane).to.include({ agentId: 'agt_root', dead: false, exitStatus: undefined });
      expect(runs(pane.pid)).to.equal(true);
    });

    it('gives a pane the environment it was made with and nothing of this process', async () => {
      process.env['MUSTER_TEST_CANARY'] = 'canary';
      try {
        const other = await fixture.terminals().of('agt_other');
        await other.open(fixture.shell('agt_other', 'env > env.part; mv env.part env; exec cat'));
        const names = (await moment('the environment', () => fixture.read('env')))
          .split('\n')
          .map((row) => row.split('=')[0]);
        const tmuxGives = ['TERM', 'COLORTERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'TMUX', 'TMUX_PANE', 'SHELL'];
        const shellGives = ['PWD', 'OLDPWD', '_', 'SHLVL', ''];
        const known = new Set([...tmuxGives, ...shellGives, ...Object.keys(environment)]);
        expect(names.filter((name) => !known.has(name ?? ''))).to.deep.equal([]);
      } finally {
        delete process.env['MUSTER_TEST_CANARY'];
      }
    });

    it('adopts the window that carries the id, also for calls at the same time, also once it is dead', async () => {
      const spec = fixture.shell('agt_root', 'read line; exit 3');
      const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => terminal.open(spec)));
      for (const other of others) expect(other).to.deep.equal(first);
      expect(await terminal.panes()).to.have.length(1);
      await terminal.submit(first?.paneId ?? '', 's');
      await moment('the program has ended', async () => (await terminal.panes())[0]?.dead);
      expect(await terminal.open(spec)).to.include({ paneId: first?.paneId, dead: true });
    });

    it('opens one window where two owners open at the same time', async () => {
      const second = await fixture.terminals().of('agt_root');
      const spec = fixture.shell('agt_root', 'exec cat');
      const panes = await Promise.all([terminal, second, terminal, second].map((one) => one.open(spec)));
      expect(new Set(panes.map((pane) => pane.paneId)).size).to.equal(1);
      expect(await second.panes()).to.have.length(1);
    });

    it('makes the pane 200 by 50 from its first moment', async () => {
      await terminal.open(fixture.shell('agt_root', 'stty size > size.part; mv size.part size; exec cat'));
      expect(await moment('the size', () => fixture.read('size'))).to.equal('50 200\n');
    });

    it('says in the pane why a program cannot be run', async () => {
      const pane = await terminal.open(fixture.window('agt_root', ['no-such-program']));
      await screenWith(terminal, pane, 'no-such-program: not found');
      const dead = await moment('the pane is dead', async () => (await terminal.panes()).find((one) => one.dead));
      expect(dead.exitStatus).to.equal(127);
    });

    it('runs a program whose name holds blanks and signs as one word', async () => {
      const program = fixture.write('a b;c', '#!/bin/sh\necho started > started\nexec cat\n');
      execFileSync('chmod', ['+x', program]);
      await terminal.open(fixture.window('agt_root', [program]));
      await moment('the program has started', () => fixture.read('started'));
    });

    it('refuses what tmux would let pass in silence', async () => {
      const spec = fixture.shell('agt_root', 'exec cat');
      const cases = [
        [{ ...spec, cwd: fixture.path('nowhere') }, 'failed_precondition', 'nowhere'],
        [{ ...spec, cwd: 'relative' }, 'invalid_argument', 'relative'],
        [{ ...spec, argv: [] }, 'invalid_argument', 'program'],
        [{ ...spec, env: { 'A B': 'x' } }, 'invalid_argument', 'A B'],
        [{ ...spec, env: { A: 'x\0y' } }, 'invalid_argument', 'NUL'],
        [{ ...spec, agentId: 'a;kill-server' }, 'invalid_argument', 'a;kill-server'],
      ] as const;
      for (const [bad, code, words] of cases) {
        const failure = await failureOf(terminal.open(bad));
        expect([failure.code, failure.message.includes(words)], failure.message).to.deep.equal([code, true]);
      }
      expect(await terminal.panes()).to.deep.equal([]);
    });

    it('shows a name without what tmux would read in it', async () => {
      const name = '\u202efix #[fg=red] #(touch pwned)\u0007\n #{pid}; -h';
      const pane = await terminal.open(fixture.shell('agt_root', 'exec cat', { name }));
      const shown = () => fixture.tmux('agt_root', 'display-message', '-p', '-t', pane.paneId, '#{window_name}');
      expect(shown()).to.equal('fix ＃[fg=red] ＃(touch pwned) ＃{pid}; -h');
      await terminal.rename(pane.paneId, '-h #(touch pwned) ünï');
      expect(shown()).to.equal('-h ＃(touch pwned) ünï');
      expect(existsSync(fixture.path('pwned'))).to.equal(false);
    });

    it('keeps variables out of every process listing and of what tmux tells', async () => {
      const pane = await terminal.open(
        fixture.shell('agt_root', 'exec cat', { env: { SERVICE_TOKEN: 'tok-canary-1' } }),
      );
      const listing = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' });
      const told = [
        fixture.tmux('agt_root', 'show-environment', '-g'),
        fixture.tmux('agt_root', 'show-environment', '-t', 'muster'),
        fixture.tmux('agt_root', 'list-panes', '-a', '-F', '#{pane_start_command}'),
        fixture.tmux('agt_root', 'list-buffers'),
      ];
      for (const text of [listing, ...told]) expect(text).not.to.include('tok-canary-1');
      expect(runs(pane.pid)).to.equal(true);
    });
  });

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
      expect((await failureOf(terminals.attachCommand('agt_root', '%99', false))).code).to.equal('not_found');
      expect((await failureOf(terminals.attachCommand('agt_nobody', '%1', false))).code).to.equal('not_found');
    });
  });
});
