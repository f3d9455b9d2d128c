import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { HarnessFile } from '#contract/pane/harness-file.ts';
import { CellLook, RegionFact, ScreenRegion } from '#contract/pane/screen-rule.ts';
import { builtIn } from '#machines/harness/table.ts';
import { statesPage, withTables } from './states-page.ts';

describe('the page of how panes are read', () => {
  const page = readFileSync(statesPage, 'utf8');

  it('has the tables that the screens come to now', () => {
    expect(page, 'stale: run node bench/write-pane-states.ts').to.equal(withTables(page));
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
