import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { HarnessFile } from '#contract/pane/harness-file.ts';
import { CellLook, RegionFact, ScreenRegion } from '#contract/pane/screen-rule.ts';
import { builtIn } from '#machines/harness/table.ts';
import { keptOutcomes } from '#test/lab/steps/outcome.ts';
import { isSoak } from '#test/support/soak.ts';
import { mutations } from './mutants/mutation.ts';
import { statesPage, withChangedTable, withStepsTable, withTables } from './states-page.ts';

describe('the page of how panes are read', () => {
  const page = readFileSync(statesPage, 'utf8');

  it('has the tables that the screens come to now', () => {
    expect(page, 'stale: run node bench/write-pane-states.ts').to.equal(withTables(page));
  });

  it('has the table of the steps as they were led last, none of them false', () => {
    expect(page, 'stale: run node bench/write-pane-states.ts').to.equal(withStepsTable(page));
    expect(keptOutcomes().filter((one) => one.false > 0)).to.deep.equal([]);
  });

  // Making the table again takes all changes of all screens: it is compared in soak.
  if (isSoak) {
    it('has the table that the changed screens come to now', () => {
      expect(page, 'stale: run node bench/write-pane-states.ts').to.equal(withChangedTable(page));
    });
  }

  it('shows of every change that nothing at work reads IDLE, and nothing newly WAITING', () => {
    for (const { name } of mutations)
      expect(page).to.match(new RegExp(`^\\| ${name} \\| \\d+ \\| \\d+ \\| 0 \\| 0 \\|`, 'm'));
  });

  it('names every reason that a rule gives', () => {
    const reasons = builtIn.all().flatMap(({ screens }) => screens.rules.map(({ reason }) => reason));
    const unnamed = [...new Set(reasons)].filter((reason) => reason !== '' && !page.includes(`| \`${reason}\` |`));
    expect(unnamed).to.deep.equal([]);
  });

  it('names every region, fact and look that a condition may have', () => {
    for (const word of [...ScreenRegion.options, ...RegionFact.options, ...CellLook.options]) {
      expect(page).to.include(`\`${word}\``);
    }
  });

  it('shows files that hold', () => {
    const files = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => JSON.parse(text) as unknown);
    expect(files).to.have.length.above(1);
    for (const file of files) HarnessFile.parse(file);
  });
});
