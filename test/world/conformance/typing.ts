import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { pastedText } from '#world/terminal/pasted-text.ts';
import type { Pane, Terminal } from '#world/terminal/terminal.ts';
import { type MakeFixture, screenWith, type TerminalFixture } from '../terminal-fixture.ts';

const receiver = fileURLToPath(new URL('../tmux/paste-receiver.mjs', import.meta.url));

/** What typing into a pane must do on every kind of terminal. */
export function typingConformance(make: MakeFixture): void {
  describe('typing into a pane', () => {
    let fixture: TerminalFixture;
    let terminal: Terminal;
    let pane: Pane;
    let pastes: number;

    /** A pane with a program that has bracketed paste on. */
    beforeEach(async () => {
      fixture = make();
      terminal = await (await fixture.terminals()).of('agt_root');
      pane = await terminal.open(fixture.window('agt_root', [process.execPath, receiver, fixture.root]));
      await screenWith(terminal, pane, 'ready');
      pastes = 0;
    });

    afterEach(() => fixture.close());

    /** Pastes a text and gives what arrived within the paste, once all of it has. */
    async function arrived(text: string): Promise<string> {
      expect(await terminal.paste(pane.paneId, text, `stamp ${pastes}`)).to.equal('written');
      pastes += 1;
      return moment(`paste ${pastes} has arrived`, () => fixture.read(`paste-${pastes}`));
    }

    it('carries 50,000 characters byte for byte', async () => {
      const line =
        'the quick 🎉 fox 漢字かな "says" \'hi\'; $HOME #{pane_id} ~/x \\n %1 `id` é e\u0301 👩‍👩‍👧 {a} \t|\n';
      const text = [...line.repeat(2000)].slice(0, 50_000).join('').trimEnd();
      expect(await arrived(text)).to.equal(text);
      expect(await terminal.submit(pane.paneId, 's')).to.equal('written');
      await moment('Enter has come, outside the paste', () => fixture.read('typed') === '\r');
    });

    it('carries syntax as text, and runs none of it', async () => {
      const bodies = [
        ';',
        'do it;',
        'a \\;',
        '-h',
        '--',
        '-t %1',
        '#(touch pwned)',
        '$(touch pwned)',
        '`touch pwned`',
        '"; run-shell "touch pwned"; "',
        '} ; run-shell "touch pwned" ; {',
        '\n%end 1 1 1\n%error',
        `~root $HOME ${'$'}{HOME} %if 1`,
        '\\033[31m \\e \\u0041 \\n',
        '\ttabs\tand  blanks  ',
        'ünï \u2028 \u200b \ufeff \ud83d',
      ];
      for (const body of bodies) expect(await arrived(body), body).to.equal(Buffer.from(body).toString());
      expect(existsSync(fixture.path('pwned'))).to.equal(false);
      expect(fixture.read('typed')).to.equal('');
    });

    it('lets no text end the paste or control the terminal', async () => {
      expect(await arrived('x \u001b[201~\rrm -rf /\r')).to.equal('x [201~\nrm -rf /');
      expect(await arrived('a\u009b201~b\u0000\u0003\u0004\u001a\u007f\u0085c')).to.equal('a201~bc');
      expect(await arrived('one\r\ntwo\rthree\n\n')).to.equal('one\ntwo\nthree');
      expect(fixture.read('typed')).to.equal('');
    });

    it('carries any cleaned text unchanged, and nothing outside the paste', async () => {
      const signs = [
        '\u001b[201~',
        '\u001b[200~',
        '\r',
        '\n',
        '\t',
        '\u001b',
        '\u009b',
        ';',
        '"',
        '\\',
        '$',
        '~',
        '#(',
      ];
      const piece = fc.oneof(
        fc.constantFrom(...signs, '{', '}'),
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme' }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 40 }), async (pieces) => {
          const clean = pastedText(pieces.join(''));
          fc.pre(clean !== '');
          expect(await arrived(pieces.join(''))).to.equal(Buffer.from(clean).toString());
          expect(fixture.read('typed')).to.equal('');
        }),
        { numRuns: 150 },
      );
    });

    it('types plain text if the program has not enabled bracketed paste, or disabled it', async () => {
      const plain = await terminal.open(
        fixture.shell(
          'agt_plain',
          String.raw`stty raw -echo; printf '\033[?2004h\033[?2004lup'; dd bs=1 count=10 of=plain.part 2>/dev/null; mv plain.part plain; exec cat`,
        ),
      );
      await screenWith(terminal, plain, 'up');
      expect(await terminal.paste(plain.paneId, 'one\ntwo é')).to.equal('written');
      expect(await moment('it has come', () => fixture.read('plain'))).to.equal('one\ntwo é');
    });

    it('stamps with each write, in the same step, and keeps the last stamp', async () => {
      expect(await terminal.stampOf(pane.paneId)).to.equal('');
      await terminal.paste(pane.paneId, 'x', 'mal_1 #(touch pwned) "\\ $HOME; ~');
      expect(await terminal.stampOf(pane.paneId)).to.equal('mal_1 #(touch pwned) "\\ $HOME; ~');
      await terminal.submit(pane.paneId, 'mal_1.sent');
      expect(await terminal.stampOf(pane.paneId)).to.equal('mal_1.sent');
      expect(await terminal.paste(pane.paneId, '\n', 'empty')).to.equal('written');
      expect(await terminal.stampOf(pane.paneId)).to.equal('empty');
      expect(existsSync(fixture.path('pwned'))).to.equal(false);
    });

    it('writes and stamps nothing after a deadline', async () => {
      const [past, later] = [Date.now() - 1_000, Date.now() + 3_600_000];
      expect(await terminal.paste(pane.paneId, 'x', 'late', past)).to.equal('late');
      expect(await terminal.submit(pane.paneId, 'late', past)).to.equal('late');
      expect(await terminal.press(pane.paneId, ['Escape'], past)).to.equal('late');
      expect(await terminal.type(pane.paneId, 'x', past)).to.equal('late');
      expect(await terminal.stampOf(pane.paneId)).to.equal('');
      expect(await terminal.paste(pane.paneId, '\n', 'early', later)).to.equal('written');
      expect(await terminal.stampOf(pane.paneId)).to.equal('early');
      expect(await arrived('next')).to.equal('next');
      expect(fixture.read('typed')).to.equal('');
    });

    it('refuses an unreadable stamp, and then types nothing', async () => {
      expect((await failureOf(() => terminal.paste(pane.paneId, 'x', 'a\nb'))).code).to.equal('invalid_argument');
      expect((await failureOf(() => terminal.submit(pane.paneId, 'ü'))).code).to.equal('invalid_argument');
      expect(await arrived('next')).to.equal('next');
      expect(fixture.read('typed')).to.equal('');
    });

    it('keeps the last stamp without a new one', async () => {
      await terminal.paste(pane.paneId, 'x', 'first');
      await terminal.paste(pane.paneId, 'y');
      await terminal.submit(pane.paneId);
      expect(await terminal.stampOf(pane.paneId)).to.equal('first');
    });

    it('presses keys in order', async () => {
      const keys = [
        'Escape',
        '2',
        'Down',
        'y',
        'BTab',
        'C-c',
        'Tab',
        'Space',
        'BSpace',
        'C-u',
        'C-d',
        'Enter',
      ] as const;
      expect(await terminal.press(pane.paneId, keys)).to.equal('written');
      const wanted = '\u001b2\u001b[By\u001b[Z\u0003\t \u007f\u0015\u0004\r';
      await moment('the keys have come', () => fixture.read('typed') === wanted);
      expect(await terminal.stampOf(pane.paneId)).to.equal('');
    });

    it('types a text character by character, without brackets and keys', async () => {
      expect(await terminal.type(pane.paneId, '-l ;"#{x}')).to.equal('written');
      expect(await terminal.type(pane.paneId, '\u001b[201~\r漢é')).to.equal('written');
      expect(await terminal.type(pane.paneId, '\n')).to.equal('written');
      await terminal.press(pane.paneId, ['C-a', 'Home', 'End', 'PageUp', 'PageDown', 'Delete']);
      const ends = String.raw`(?:\u001b\[1~|\u001b\[H)(?:\u001b\[4~|\u001b\[F)`;
      const wanted = new RegExp(String.raw`^-l ;"#\{x\}\[201~漢é\u0001${ends}\u001b\[5~\u001b\[6~\u001b\[3~$`);
      await moment('all of it has come', () => wanted.test(fixture.read('typed') ?? ''));
    });

    it('presses arrows in the program’s cursor mode', async () => {
      const arrows = ['Up', 'Down', 'Right', 'Left'] as const;
      const asking = await terminal.open(
        fixture.shell(
          'agt_arrows',
          String.raw`stty raw -echo; printf '\033[?1hup'; dd bs=1 count=12 of=arrows.part 2>/dev/null; mv arrows.part arrows; exec cat`,
        ),
      );
      await screenWith(terminal, asking, 'up');
      await terminal.press(asking.paneId, arrows);
      expect(await moment('the asked for', () => fixture.read('arrows'))).to.equal('\u001bOA\u001bOB\u001bOC\u001bOD');
      await terminal.press(pane.paneId, arrows);
      await moment('the usual', () => fixture.read('typed') === '\u001b[A\u001b[B\u001b[C\u001b[D');
    });

    it('returns dead for a dead pane, and types and stamps nothing', async () => {
      process.kill(pane.pid, 'SIGKILL');
      await moment('it is dead', async () => (await terminal.panes())[0]?.dead);
      expect(await terminal.paste(pane.paneId, 'x', 'late')).to.equal('dead');
      expect(await terminal.submit(pane.paneId, 'late')).to.equal('dead');
      expect(await terminal.press(pane.paneId, ['y'])).to.equal('dead');
      expect(await terminal.type(pane.paneId, 'y')).to.equal('dead');
      expect(await terminal.paste(pane.paneId, '\n', 'late')).to.equal('dead');
      expect(await terminal.stampOf(pane.paneId)).to.equal('');
    });

    it('survives a pane that ends during the paste', async () => {
      for (let n = 0; n < 20; n += 1) {
        const short = await terminal.open(fixture.shell(`agt_${n}`, 'exec cat'));
        const pasting = [1, 2, 3, 4, 5].map(() => terminal.paste(short.paneId, 'hello '.repeat(1000), 's'));
        process.kill(short.pid, 'SIGKILL');
        for (const written of await Promise.all(pasting)) expect(written).to.be.oneOf(['written', 'dead']);
      }
      expect(await arrived('all is well')).to.equal('all is well');
    });

    it('returns gone for a missing pane with any id', async () => {
      for (const id of ['%99', '', '%', 'muster', ':', '{last}', '%1 ; kill-server', '=muster:0']) {
        expect(await terminal.paste(id, 'x', 's'), id).to.equal('gone');
        expect(await terminal.submit(id, 's'), id).to.equal('gone');
        expect(await terminal.press(id, ['y']), id).to.equal('gone');
      }
      expect(await terminal.stampOf(pane.paneId)).to.equal('');
    });

    it('does not mix concurrent input to many panes', async () => {
      const panes = await Promise.all(
        [1, 2, 3, 4, 5].map((n) => terminal.open(fixture.shell(`agt_${n}`, 'stty -echo; echo up; exec cat'))),
      );
      for (const one of panes) await screenWith(terminal, one, 'up');
      await Promise.all(panes.map((one) => terminal.paste(one.paneId, `for ${one.agentId}`, one.agentId)));
      await Promise.all(panes.map((one) => terminal.submit(one.paneId, one.agentId)));
      for (const one of panes) {
        const rows = await screenWith(terminal, one, 'for ');
        expect(rows.slice(1)).to.deep.equal([`for ${one.agentId}`]);
        expect(await terminal.stampOf(one.paneId)).to.equal(one.agentId);
      }
    });
  });
}
