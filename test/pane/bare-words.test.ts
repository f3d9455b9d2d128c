import { expect } from 'chai';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';
import { changeable } from './mutants/mutants.ts';
import { spinners } from './mutants/mutation.ts';
import { bare } from './mutants/rewriting.ts';

// An update may announce work by nothing but words, in any language.

const words = ['Denke nach', '思考中', 'Réflexion en cours', 'denke nach', 'pensando', 'reading files'];
/** Screens on which the rest of a wrapped row stands below what is replaced. */
const wrapped = ['claude/narrow-or-wrapped-status', 'copilot/narrow-or-wrapped-hint'];

describe('a screen of work, with its status in bare words', () => {
  const announced = changeable().flatMap((screen) => {
    const spinner = spinners[screen.harness];
    if (spinner === undefined || screen.state !== 'AGENT_STATE_THINKING' || wrapped.includes(screen.name)) return [];
    const isStatus = (row: string): boolean => spinner.test(bare(row));
    return screen.capture.rows.some(isStatus) ? [{ ...screen, isStatus }] : [];
  });

  for (const said of words) {
    it(`(${said}) is not at rest, whatever title it has`, () => {
      const wrong = announced.flatMap(({ name, harness, capture, isStatus }) => {
        const rows = capture.rows.map((row) =>
          isStatus(row) ? `\u001b[0m${/^ */.exec(bare(row))?.[0] ?? ''}${said}` : row,
        );
        const { state, rule } = read(screensOf(builtIn, harness), { ...capture, rows, title: '', programStatus: '' });
        return state === 'AGENT_STATE_IDLE' ? [`${name} by ${rule}`] : [];
      });
      expect(wrong).to.deep.equal([]);
    });
  }

  it('is there for every CLI that a spinner shows work of', () => {
    expect([...new Set(announced.map(({ harness }) => harness))]).to.have.members(Object.keys(spinners));
  });
});
