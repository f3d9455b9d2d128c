import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { Handovers } from '#world/terminal/handover.ts';
import type { Terminal, Terminals } from '#world/terminal/terminal.ts';
import { environment, type MakeFixture, runs, screenWith, type TerminalFixture } from '../terminal-fixture.ts';

/** What opening a window must do on every kind of terminal. */
export function openingConformance(make: MakeFixture): void {
  describe('opening a window', () => {
    let fixture: TerminalFixture;
    let terminals: Terminals;
    let terminal: Terminal;

    beforeEach(async () => {
      fixture = make();
      terminals = await fixture.terminals();
      terminal = await terminals.of('agt_root');
    });

    afterEach(() => fixture.close());

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

    it('sets the program’s prompt variable, which shells would drop', async () => {
      const say =
        'require("node:fs").writeFileSync("prompt", JSON.stringify(process.env)); setInterval(() => {}, 1000)';
      const env = { PS1: 'a\\n"$ ' };
      await terminal.open(fixture.window('agt_root', [process.execPath, '-e', say], { env }));
      const told = JSON.parse(await moment('the prompt', () => fixture.read('prompt') || undefined));
      expect([told.PS1, told.MUSTER_PS1]).to.deep.equal([env.PS1, undefined]);
    });

    it('passes secrets to a program in no argument, file or other environment', async () => {
      const handovers = new Handovers(fixture.path('handovers'));
      const secret = `it's "a" $HOME \\ secret\n\tof two lines; ${'x'.repeat(20_000)}`;
      const handover = await handovers.prepare('agt_root');
      const say = 'printf %s "$API_KEY" > key.part; env > env.out; mv key.part key; exec cat';
      const { pid } = await terminal.open(fixture.shell('agt_root', say, { env: { PLAIN: 'x', ...handover.env } }));
      await handover.deliver({ API_KEY: secret });
      expect(await moment('the program has spoken', () => fixture.read('key'))).to.equal(secret);
      expect(fixture.read('env.out')).to.not.include('MUSTER_HANDOVER');
      expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).to.not.include('of two lines');
      expect([existsSync(fixture.path('handovers', 'agt_root')), handovers.isPending('agt_root')]).to.deep.equal([
        false,
        false,
      ]);
    });

    it('starts no program if the sender of its secrets is gone, and leaves nothing', async () => {
      const handovers = new Handovers(fixture.path('handovers'));
      const handover = await handovers.prepare('agt_root');
      const { paneId } = await terminal.open(
        fixture.shell('agt_root', 'touch started; exec cat', { env: handover.env }),
      );
      expect(handovers.isPending('agt_root')).to.equal(true);
      const dead = async () => (await terminal.panes()).find((pane) => pane.paneId === paneId)?.dead;
      // As after a kill -9: the next process finds the pipe, and closes its side without a word.
      await moment('the window to have ended', async () => {
        await new Handovers(fixture.path('handovers')).sweep();
        return dead();
      });
      expect(existsSync(fixture.path('started'))).to.equal(false);
      expect(handovers.isPending('agt_root')).to.equal(false);
    });

    it('sets exactly the given environment, with nothing of this process', async () => {
      process.env['MUSTER_TEST_CANARY'] = 'canary';
      try {
        const other = await (await fixture.terminals()).of('agt_other');
        await other.open(fixture.shell('agt_other', 'env > env.part; mv env.part env; exec cat'));
        const names = (await moment('the environment', () => fixture.read('env')))
          .split('\n')
          .map((row) => row.split('=')[0]);
        const shellGives = ['PWD', 'OLDPWD', '_', 'SHLVL', ''];
        const known = new Set([...fixture.adds, ...shellGives, ...Object.keys(environment)]);
        expect(names.filter((name) => !known.has(name ?? ''))).to.deep.equal([]);
      } finally {
        delete process.env['MUSTER_TEST_CANARY'];
      }
    });

    it('opens only the terminal for a program', async () => {
      await terminal.open(fixture.shell('agt_1', 'exec cat'));
      await terminal.open(fixture.shell('agt_root', 'ls /proc/self/fd > fds.part; mv fds.part fds; exec cat'));
      // Beside input, output and errors the folder that it reads.
      expect(await moment('its files', () => fixture.read('fds'))).to.equal('0\n1\n2\n3\n');
    });

    it('adopts the window with the id, also in concurrent calls, and after its end', async () => {
      const spec = fixture.shell('agt_root', 'read line; exit 3');
      const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => terminal.open(spec)));
      for (const other of others) expect(other).to.deep.equal(first);
      expect(await terminal.panes()).to.have.length(1);
      await terminal.submit(first?.paneId ?? '', 's');
      await moment('the program has ended', async () => (await terminal.panes())[0]?.dead);
      expect(await terminal.open(spec)).to.include({ paneId: first?.paneId, dead: true });
    });

    it('makes the pane 200 by 50 from the start', async () => {
      await terminal.open(fixture.shell('agt_root', 'stty size > size.part; mv size.part size; exec cat'));
      expect(await moment('the size', () => fixture.read('size'))).to.equal('50 200\n');
    });

    it('shows in the pane why a program cannot be run', async () => {
      const pane = await terminal.open(fixture.window('agt_root', ['no-such-program']));
      await screenWith(terminal, pane, `no-such-program cannot be run in ${fixture.root}`);
      const dead = await moment('the pane is dead', async () => (await terminal.panes()).find((one) => one.dead));
      expect(dead.exitStatus).to.equal(127);
    });

    it('runs a program with blanks and special characters in its name', async () => {
      const program = fixture.write('a b;c', '#!/bin/sh\necho started > started\nexec cat\n');
      execFileSync('chmod', ['+x', program]);
      await terminal.open(fixture.window('agt_root', [program]));
      await moment('the program has started', () => fixture.read('started'));
    });

    it('refuses values that a terminal would silently accept', async () => {
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
        const failure = await failureOf(() => terminal.open(bad));
        expect([failure.code, failure.message.includes(words)], failure.message).to.deep.equal([code, true]);
      }
      expect(await terminal.panes()).to.deep.equal([]);
    });

    it('keeps variables out of every process listing', async () => {
      const pane = await terminal.open(
        fixture.shell('agt_root', 'exec cat', { env: { SERVICE_TOKEN: 'tok-canary-1' } }),
      );
      expect(execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })).not.to.include('tok-canary-1');
      expect(runs(pane.pid)).to.equal(true);
    });
  });
}
