import { expect } from 'chai';
import fc from 'fast-check';
import type { Capture } from '#contract/pane/capture.ts';
import { parseScreen } from '#machines/pane/screen.ts';
import { moment } from '#test/support/moment.ts';
import type { Pane, Terminal } from '#world/terminal/terminal.ts';
import { EmbeddedFixture, skipWithoutPty } from '../embedded-fixture.ts';
import type { TerminalFixture } from '../terminal-fixture.ts';
import { TmuxFixture } from '../tmux-fixture.ts';

const csi = '\u001b[';
const colour = fc.oneof(
  fc.integer({ min: 0, max: 7 }).map((n) => `3${n}`),
  fc.integer({ min: 0, max: 7 }).map((n) => `9${n}`),
  fc.integer({ min: 0, max: 7 }).map((n) => `4${n}`),
  fc.integer({ min: 0, max: 255 }).map((n) => `38;5;${n}`),
  fc.integer({ min: 0, max: 255 }).map((n) => `48;5;${n}`),
  fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((rgb) => `38;2;${rgb.join(';')}`),
  fc.constantFrom('0', '1', '2', '7', '22', '27', '39', '49', ''),
);
const small = fc.integer({ min: 1, max: 60 });
/**
 * What CLIs send: text, looks, moves, erasures, scrolling and other screens; not every corner that terminals differ in.
 */
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: fc.constantFrom(...'abc  xyz❯│─⏺é'), maxLength: 30 }) },
  { weight: 4, arbitrary: colour.map((code) => `${csi}${code}m`) },
  { weight: 2, arbitrary: fc.constantFrom('\r\n', '\r', '\n', '\t', '\b', '\r\u001bM', '\r\u001b7', '\u001b8') },
  { weight: 3, arbitrary: fc.tuple(small, fc.constantFrom(...'ABCDGd')).map(([n, final]) => `\r${csi}${n}${final}`) },
  { weight: 2, arbitrary: fc.tuple(small, fc.integer({ min: 1, max: 160 })).map(([y, x]) => `${csi}${y};${x}H`) },
  { weight: 2, arbitrary: fc.constantFrom(...['K', '1K', '2K', 'J', '1J', '2J'].map((end) => `${csi}m${csi}${end}`)) },
  { weight: 1, arbitrary: fc.tuple(small, fc.constantFrom(...'PX@')).map(([n, end]) => `${csi}m\r${csi}${n}${end}`) },
  { weight: 1, arbitrary: small.map((n) => `${csi}m${csi}5;20r${csi}7;1H${csi}${n}L${csi}9;1H${csi}2M${csi}r`) },
  { weight: 1, arbitrary: fc.constantFrom(`${csi}m${csi}?1049h`, `${csi}?25l`, `${csi}m${csi}3S`, `${csi}m${csi}2T`) },
);

/** Shows the file that each line names, from a fresh screen, and says so by its title. */
const show = String.raw`stty -echo; while read -r file; do printf '\033[?1049l\033c\0337'; cat "$file"; printf '\033]2;shown %s\007' "$file"; done`;

describe('embedded screens', () => {
  const stages: { terminal: Terminal; pane: Pane }[] = [];
  const fixtures: TerminalFixture[] = [];
  before(async function () {
    skipWithoutPty.call(this);
    for (const fixture of [new TmuxFixture(), new EmbeddedFixture()]) {
      fixtures.push(fixture);
      const terminal = await (await fixture.terminals()).of('agt_root');
      const pane = await terminal.open(fixture.shell('agt_root', show));
      stages.push({ terminal, pane });
    }
  });
  after(async () => {
    for (const fixture of fixtures) await fixture.close();
  });

  async function shown({ terminal, pane }: { terminal: Terminal; pane: Pane }, file: string): Promise<Capture> {
    await terminal.paste(pane.paneId, file);
    await terminal.submit(pane.paneId);
    return moment(`${file} is shown`, async () => {
      const capture = await terminal.capture(pane.paneId);
      return capture?.title === `shown ${file}` ? capture : undefined;
    });
  }

  it('show what tmux shows, whatever a program sends', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 80 }), async (pieces) => {
        count += 1;
        const file = fixtures[0]?.write(`run-${count}`, pieces.join('')) ?? '';
        const [wanted, got] = await Promise.all(stages.map((stage) => shown(stage, file)));
        expect(parseScreen(got?.rows ?? []).rows).to.deep.equal(parseScreen(wanted?.rows ?? []).rows);
        expect(got?.cursor).to.deep.equal(wanted?.cursor);
      }),
      { numRuns: 150, seed: 1 },
    );
  });
});
