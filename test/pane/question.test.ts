import { expect } from 'chai';
import type { Capture } from '#contract/pane/capture.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { shell } from '#machines/pane/harness/shell.ts';
import { questionOf } from '#machines/pane/question.ts';
import { read } from '#machines/pane/read.ts';
import { captureOf, loadSamples } from './screen-corpus.ts';

const waiting = loadSamples().filter(({ state }) => state === 'AGENT_STATE_WAITING');
const seen = (harness: string, capture: Capture) => JSON.stringify(questionOf(screensOf(builtIn, harness), capture));

describe('what is asked for in a shell', () => {
  it('is not to be seen where it is a password, though an address stands before its colon', () => {
    const row = "Password for 'http://ada@127.0.0.1:8971': ";
    const capture = captureOf([row], { size: '80x24', cursor: `${row.length},0`, command: 'git' });
    expect(read(shell, capture).answer).to.equal('secret');
  });
});

describe('what distinguishes one question from another', () => {
  const asked = waiting.find(({ name }) => name === 'claude/noalt.ask-200x50') ?? waiting[0];
  if (asked === undefined) throw new Error('no question was captured');
  const { harness, capture } = asked;
  const changed = (change: (row: string) => string): Capture => ({ ...capture, rows: capture.rows.map(change) });

  it('is the same for the same screen, whatever its title', () => {
    for (const one of waiting) {
      expect(seen(one.harness, { ...one.capture, title: 'another' }), one.name).to.equal(
        seen(one.harness, one.capture),
      );
    }
  });

  it('is another one for each question that was captured', () => {
    const digests = Map.groupBy(waiting, (one) => seen(one.harness, one.capture));
    const scenario = (name: string) => name.replace(/-\d+x\d+$/, '');
    const alike = [...digests.values()].map((group) => [...new Set(group.map(({ name }) => scenario(name)))]);
    expect(alike.filter((names) => names.length > 1)).to.deep.equal([]);
  });

  it('leaves out the bullets and seconds above the selection', () => {
    const above = (row: string) => row.replace('●', ' ').replace(/\b(\d+)s\b/, '99s');
    expect(seen(harness, changed(above))).to.equal(seen(harness, capture));
  });

  it('sees another choice marked, and another thing asked for', () => {
    expect(
      seen(
        harness,
        changed((row) => row.replace('❯', ' ')),
      ),
    ).not.to.equal(seen(harness, capture));
    expect(
      seen(
        harness,
        changed((row) => row.replace('touch', 'rm')),
      ),
    ).not.to.equal(seen(harness, capture));
  });
});
