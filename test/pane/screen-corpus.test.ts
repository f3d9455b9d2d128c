import { expect } from 'chai';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';
import { disputedLabels } from './disputed-labels.ts';
import { loadSamples } from './screen-corpus.ts';

describe('every captured screen', () => {
  const readings = loadSamples().map((sample) => ({
    sample,
    reading: read(screensOf(builtIn, sample.harness), sample.capture),
  }));
  const wrong = (as: string): string[] =>
    readings
      .filter(({ sample, reading }) => reading.state === as && sample.state !== as)
      .map(({ sample, reading }) => `${sample.name}: ${sample.state} read as ${as} by ${reading.rule}`);

  it('is never read as IDLE if it is not', () => {
    expect(wrong('AGENT_STATE_IDLE')).to.deep.equal([]);
  });

  it('is never read as WAITING if it is not', () => {
    expect(wrong('AGENT_STATE_WAITING')).to.deep.equal([]);
  });

  for (const [harness, group] of Map.groupBy(readings, ({ sample }) => sample.harness)) {
    it(`of ${harness} is read right in at least 99 of 100 cases, and is else UNCERTAIN`, () => {
      const missed = group.filter(({ sample, reading }) => reading.state !== sample.state);
      expect(missed.filter(({ reading }) => reading.state !== 'AGENT_STATE_UNCERTAIN')).to.deep.equal([]);
      expect(missed.length / group.length).to.be.at.most(0.01);
    });
  }

  it('has its label disputed only where it is among them, and where the label says something else', () => {
    const samples = new Map(readings.map(({ sample }) => [sample.name, sample]));
    for (const { samples: names, held } of disputedLabels)
      for (const name of names) {
        expect(samples.get(name)?.label, name).to.be.a('string');
        expect(samples.get(name)?.label, name).to.not.equal(held);
      }
  });

  it('where the answer quotes prompts, or a draft is typed, is read right without exception', () => {
    const hard = readings.filter(({ sample }) => /decoy|typ|paste|slash|refused|answered|interrupt/.test(sample.name));
    expect(hard).to.have.length.above(40);
    expect(hard.filter(({ sample, reading }) => reading.state !== sample.state)).to.deep.equal([]);
  });
});
