import { expect } from 'chai';
import { screenTailBytes } from '#contract/pane/sighting.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';
import { parseScreen, styleAt } from '#machines/pane/screen.ts';
import { captureOf, tailOf } from '#machines/pane/tail.ts';
import { rulesVersion } from '#machines/pane/version.ts';
import { captureOf as captureOfRows, loadSamples } from './screen-corpus.ts';

const facts = { size: '80x24', cursor: '0,0' };

describe('the kept tail of a screen', () => {
  const samples = loadSamples();

  it('holds every captured screen whole, which is read again as it was', () => {
    for (const { name, harness, capture } of samples) {
      const again = captureOf(JSON.parse(JSON.stringify(tailOf(capture))));
      expect(read(screensOf(builtIn, harness), again), name).to.deep.equal(read(screensOf(builtIn, harness), capture));
    }
  });

  it('has the rows that are last, no more than fit, each cell as it looked and where it stood', () => {
    for (const { name, capture } of samples.filter((sample) => sample.name.endsWith('200x50'))) {
      const tail = tailOf(capture, 1500);
      expect(Buffer.byteLength(tail.text), name).to.be.at.most(1500);
      const whole = parseScreen(capture.rows).rows;
      const cut = parseScreen(captureOf(tail).rows).rows;
      for (const [at, row] of cut.entries()) {
        if (at < tail.above) continue;
        expect(row.text, name).to.equal(whole[at]?.text);
        const looks = [...row.text].map((_, unit) => styleAt(row, unit));
        const were = [...row.text].map((_, unit) => whole[at] && styleAt(whole[at], unit));
        expect(looks, name).to.deep.equal(were);
      }
    }
  });

  it('is bounded, also if a single row is longer than all that is kept', () => {
    const tail = tailOf(captureOfRows(['above', `\u001b[1m${'x'.repeat(3 * screenTailBytes)}`], facts));
    expect(Buffer.byteLength(tail.text)).to.be.within(1000, screenTailBytes);
    expect(tail.above).to.equal(1);
  });

  it('of a blank screen is a blank screen', () => {
    expect(captureOf(tailOf(captureOfRows([], facts))).rows).to.deep.equal([]);
  });

  it('keeps a title and a status within bounds', () => {
    const tail = tailOf(captureOfRows([], { ...facts, title: 't'.repeat(9999), programStatus: 's'.repeat(9999) }));
    expect([tail.title.length, tail.programStatus.length]).to.deep.equal([1000, 1000]);
  });
});

describe('the version of rules', () => {
  const screens = screensOf(builtIn, 'claude');

  it('is the same for the same rules, read from wherever', () => {
    expect(rulesVersion(structuredClone(screens))).to.equal(rulesVersion(screens));
    expect(rulesVersion(screens)).to.match(/^[0-9a-f]{12}$/);
  });

  it('is another one where anything of them is changed', () => {
    const [first, ...rest] = screens.rules;
    const changed = { ...screens, rules: [{ ...first, priority: 1 }, ...rest] } as typeof screens;
    const versions = [screens, changed, { ...screens, rules: [...screens.rules].reverse() }].map(rulesVersion);
    expect(new Set([...versions, ...builtIn.all().map((harness) => rulesVersion(harness.screens))])).to.have.length(
      versions.length + builtIn.all().length - 1,
    );
  });
});
