import { expect } from 'chai';
import { parseScreen } from '#machines/pane/screen.ts';
import { moment } from '#test/support/moment.ts';
import type { Terminal } from '#world/terminal/terminal.ts';
import { deadPane, hintsOf, type MakeFixture, screenWith, type TerminalFixture } from '../terminal-fixture.ts';

/** What looking at a pane must report on every kind of terminal. */
export function readingConformance(make: MakeFixture): void {
  describe('reading a pane', () => {
    let fixture: TerminalFixture;
    let terminal: Terminal;

    beforeEach(async () => {
      fixture = make();
      terminal = await (await fixture.terminals()).of('agt_root');
    });

    afterEach(() => fixture.close());

    it('returns the screen with attributes, cursor, title, size and program', async () => {
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

    it('continues a style into the next row, and ends it at its end', async () => {
      const print = String.raw`stty -echo; printf '\033[1;2;3;4;7mall\033[22mless\033[0m\n\033[38;5;208m208\033[48;2;1;2;3m rgb\n next\033[91;101m bright\033[m.\033[44m   \033[m\n\nend'; exec cat`;
      const pane = await terminal.open(fixture.shell('agt_root', print));
      const { rows } = parseScreen(await screenWith(terminal, pane, 'end'));
      const wanted = [
        '\u001b[1;2;3;4;7mall\u001b[22mless',
        '\u001b[0;38;5;208m208\u001b[48;2;1;2;3m rgb',
        ' next\u001b[91;101m bright\u001b[0m.',
        '',
        'end',
      ];
      expect(rows).to.deep.equal(parseScreen(wanted).rows);
    });

    it('counts wide characters as two cells, and joins zero-width characters to the previous one', async () => {
      const print = `stty -echo; printf '漢字🎉✅e\u0301|\\n%200s' x; exec cat`;
      const pane = await terminal.open(fixture.shell('agt_root', print));
      const rows = await screenWith(terminal, pane, 'x');
      expect(rows).to.deep.equal(['漢字🎉✅e\u0301|', `${' '.repeat(199)}x`]);
      expect((await terminal.capture(pane.paneId))?.cursor).to.deep.equal({ column: 200, row: 1 });
    });

    it('reads the live screen and never the scrollback', async () => {
      const pane = await terminal.open(fixture.shell('agt_root', 'seq 1 300; exec cat'));
      const rows = await screenWith(terminal, pane, '300');
      expect(rows[0]).to.equal('252');
      expect(rows).to.have.length(49);
    });

    it('shows the alternate screen, and the main one afterwards', async () => {
      const print = String.raw`stty -echo; echo main; printf '\033[?1049h\033[H'; printf other; read a; printf '\033[?1049l'; exec cat`;
      const pane = await terminal.open(fixture.shell('agt_root', print));
      expect(await screenWith(terminal, pane, 'other')).to.deep.equal(['other']);
      await terminal.submit(pane.paneId);
      expect(await screenWith(terminal, pane, 'main')).to.deep.equal(['main']);
    });

    it('answers a query for the cursor position', async () => {
      const ask = String.raw`stty raw -echo; printf 'abc\033[6n'; dd bs=1 count=6 of=reply.part 2>/dev/null; mv reply.part reply; exec cat`;
      await terminal.open(fixture.shell('agt_root', ask));
      expect(await moment('the answer', () => fixture.read('reply'))).to.equal('\u001b[1;4R');
    });

    it('reports the program’s end, and shows its last screen', async () => {
      const pane = await terminal.open(fixture.shell('agt_root', 'seq 1 3000; echo last words; sleep 0.2'));
      await deadPane(terminal, 'agt_root');
      const capture = await terminal.capture(pane.paneId);
      expect(capture).to.include({ dead: true });
      expect(capture?.rows.at(-1)).to.equal('last words');
    });

    it('returns undefined for a missing pane', async () => {
      await terminal.open(fixture.shell('agt_root', 'exec cat'));
      for (const id of ['%99', '%', 'muster:', '%1; kill-server', ''])
        expect(await terminal.capture(id)).to.equal(undefined);
      expect(await terminal.stampOf('%99')).to.equal('');
    });

    it('reads status sequences, also split or wrapped for tmux, and keeps the last', async () => {
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
      expect((await terminal.capture(pane.paneId))?.rows).to.deep.equal([]);
    });

    it('sends hints of output at once and at most every 50 ms, and of ended panes and windows', async () => {
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
      await deadPane(terminal, 'agt_root');
      kinds.length = 0;
      await terminal.close(pane.paneId);
      await moment('a hint that the window has gone', () => kinds.includes('panes'));
      expect(await terminal.panes()).to.deep.equal([]);
    });

    it('sends no hints to a removed listener, and survives one that throws', async () => {
      const pane = await terminal.open(fixture.shell('agt_root', 'exec cat'));
      const hints: string[] = [];
      const stop = terminal.onHint((hint) => hints.push(hint.kind));
      stop();
      terminal.onHint(() => {
        throw new Error('a bad listener');
      });
      const heard = hintsOf(terminal);
      await terminal.paste(pane.paneId, 'hello', 's');
      await screenWith(terminal, pane, 'hello');
      await moment('the others hear', () => heard.length > 0);
      expect(fixture.log).to.include('a listener to hints failed');
      expect(hints).to.deep.equal([]);
    });
  });
}
