import { expect } from 'chai';
import type { Capture } from '#contract/pane/capture.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { findComposer } from '#machines/pane/composer.ts';
import { read } from '#machines/pane/read.ts';
import { cutRegions } from '#machines/pane/region.ts';
import { parseScreen } from '#machines/pane/screen.ts';
import { someOf } from '#test/support/some-of.ts';
import type { KnownScreen } from './confusion.ts';
import { changeable } from './mutants/mutants.ts';

// A CLI whose update draws its work in a new way must not read as at rest, wherever it draws it.

const strange = [
  '◴ Indexing repository',
  '⟳ Compacting (12s)',
  '⠧ Syncing files',
  '◜',
  'Reconnecting… (3s)',
  '~~ syncing ~~',
  'Denke nach (12s)',
  '12s · esc to interrupt',
  '[####----] 43%',
  '▰▰▰▱▱ 43%',
];
const indents = [0, 1, 2, 3, 5];
/** How far above the composer the end of a turn may be, in rows. */
const near = 8;
/** Gemini's title says that it is ready, which decides unless a row next to the composer contradicts it. */
const proved = 'gemini/title-ready';

/** Between which rows above the composer no answer continues: a CLI could draw its work in any of these places. */
function gapsIn({ harness, capture }: KnownScreen): number[] {
  const { rows } = parseScreen(capture.rows);
  const { layout } = screensOf(builtIn, harness);
  const top = findComposer(rows, layout).lowest?.top ?? 0;
  const first = top - cutRegions(layout, capture).rows.since.length;
  const gaps: number[] = [];
  for (let at = top; at >= Math.max(1, first, top - near); at -= 1) {
    const [above = '', below = ''] = [rows[at - 1]?.text, at === top ? '' : rows[at]?.text];
    if (/\p{L}.*[.!?:)](?: {4}|$)/u.test(below)) break;
    if (above === '' || at === top) gaps.push(at);
  }
  return gaps;
}

function inserted(capture: Capture, at: number, row: string): Capture {
  const rows = capture.rows.toSpliced(at, 0, `\u001b[0m${row}`);
  return { ...capture, rows, height: Math.max(capture.height, rows.length) };
}

describe('a row that no rule knows', () => {
  const rested = changeable().filter(
    ({ harness, capture, state }) =>
      state === 'AGENT_STATE_IDLE' && read(screensOf(builtIn, harness), capture).state === state,
  );

  for (const [harness, group] of Map.groupBy(rested, (screen) => screen.harness)) {
    it(`is no rest at the end of a turn of ${harness}, at any indentation`, () => {
      const wrong = someOf(group).flatMap((screen) =>
        gapsIn(screen).flatMap((gap) =>
          strange.flatMap((words) =>
            indents.flatMap((indent) => {
              const row = ' '.repeat(indent) + words;
              const { state, rule } = read(screensOf(builtIn, harness), inserted(screen.capture, gap, row));
              return state === 'AGENT_STATE_IDLE' && rule !== proved
                ? [`${screen.name} at ${gap}: ${row} (${rule})`]
                : [];
            }),
          ),
        ),
      );
      expect(wrong).to.deep.equal([]);
    });
  }

  it('is looked for in every harness', () => {
    const coding = builtIn.all().filter(({ codingAgent }) => codingAgent === true);
    expect([...new Set(rested.map(({ harness }) => harness))]).to.have.members(coding.map(({ name }) => name));
    for (const {
      name,
      screens: { layout },
    } of coding)
      expect(layout.known, name).to.be.an('object');
  });
});
