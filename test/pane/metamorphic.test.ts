import { expect } from 'chai';
import type { Capture } from '#contract/pane/capture.ts';
import type { Reading } from '#contract/pane/reading.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';
import { someOf } from '#test/support/some-of.ts';
import { loadGoldens } from './golden-screen.ts';
import { loadSamples } from './screen-corpus.ts';

// A verdict depends on what is live on a screen, so what is not live may change without changing the verdict.

interface Shown {
  /** `<harness>/<scenario>`. */
  readonly name: string;
  readonly harness: string;
  readonly capture: Capture;
}

const samples: readonly Shown[] = loadSamples();
const goldens: readonly Shown[] = loadGoldens()
  .filter(({ harness }) => harness !== 'shell')
  .map(({ harness, name, capture }) => ({ name: `${harness}/${name}`, harness, capture }));
const everything = [...samples, ...goldens];
/** What only a colour or a weight reports, by rule or by sample. */
const told = new Set(['claude/turn-colour', 'opencode/dialog', 'codex/working-dim-thought']);
const reset = '\u001b[0m';
const attributes = /\p{Cc}\[[0-9;:]*m/gu;
const plain = (rows: readonly string[]): string[] => rows.map((row) => row.replace(attributes, ''));
const readingOf = (sample: Shown, change: Partial<Capture> = {}): Reading =>
  read(screensOf(builtIn, sample.harness), { ...sample.capture, ...change });

/** The rows of a sample without the blank ones at its bottom. */
function shown(sample: Shown): string[] {
  const rows = [...sample.capture.rows];
  while (rows.length > 0 && plain(rows.slice(-1))[0]?.trim() === '') rows.pop();
  return rows;
}

/** A capture with rows put above it, its cursor moved down with it. */
function below(sample: Shown, above: readonly string[]): Partial<Capture> {
  const { column, row } = sample.capture.cursor;
  return {
    rows: [...above, reset + (sample.capture.rows[0] ?? ''), ...sample.capture.rows.slice(1)],
    cursor: { column, row: row + above.length },
  };
}

describe('a verdict holds', () => {
  it('with blank rows added at the bottom', () => {
    const flipped = someOf(everything).filter((sample) => {
      const rows = [...sample.capture.rows, ...Array<string>(40).fill('')];
      return readingOf(sample, { rows }).state !== readingOf(sample).state;
    });
    expect(flipped.map((sample) => sample.name)).to.deep.equal([]);
  });

  it('without attributes, save that IDLE may turn UNCERTAIN, and so may what only a colour reports', () => {
    const flipped = someOf(everything, 1).filter((sample) => {
      const [before, after] = [readingOf(sample), readingOf(sample, { rows: plain(sample.capture.rows) })];
      // opencode shows its leader key by colour alone, and takes a paste anyway.
      if (before.rule.startsWith('opencode/leader')) return false;
      const excused = before.state === 'AGENT_STATE_IDLE' || told.has(before.rule) || told.has(sample.name);
      return after.state !== before.state && !(excused && after.state === 'AGENT_STATE_UNCERTAIN');
    });
    expect(flipped.map((sample) => sample.name)).to.deep.equal([]);
  });

  it('below the rows of any other screen of the same CLI', () => {
    const flipped: string[] = [];
    for (const [turn, sample] of samples.entries()) {
      const before = readingOf(sample).state;
      for (const other of someOf(samples, turn, 36)) {
        if (other.harness !== sample.harness || other.capture.width !== sample.capture.width) continue;
        const after = readingOf(sample, below(sample, shown(other))).state;
        if (after !== before) flipped.push(`${sample.name} below ${other.name}: ${before} became ${after}`);
      }
    }
    expect(flipped).to.deep.equal([]);
  }).timeout(60_000);
});

describe('a screen that was left behind', () => {
  it('is UNCERTAIN where a shell prompt is below it, even if no command reports', () => {
    const wrong = someOf(samples, 2).flatMap((sample) => {
      const rows = [...shown(sample), reset, 'ada@box:~/shop$ '];
      const { state, rule } = readingOf(sample, { rows, command: '', title: '' });
      return state === 'AGENT_STATE_UNCERTAIN' ? [] : [`${sample.name}: ${state} by ${rule}`];
    });
    expect(wrong).to.deep.equal([]);
  });
});

describe('a screen quoted in an answer', () => {
  const idle = new Map(
    samples
      .filter((sample) => /\/(?:reply|queued.done)-80x24$/.test(sample.name))
      .map((sample) => [sample.harness, sample]),
  );
  // Of these no answer is captured, so it is composed.
  for (const golden of goldens.filter(({ name }) =>
    /^(?:(?:aider|amp|cursor|droid)\/rest|kilo\/osc-title-without-state)$/.test(name),
  ))
    idle.set(golden.harness, golden);
  const answers = /(?:the turn ends|ends the turn) here\.|now accepts empty lists\.|^Git repo: /;

  const styles = [
    ['in an indented block', (rows: readonly string[]): string[] => rows.map((row) => `  ${row}`)],
    ['between fences', (rows: readonly string[]): string[] => ['```', ...rows, '```']],
    [
      'in an indented block between fences',
      (rows: readonly string[]): string[] => ['  ```', ...rows.map((row) => `  ${row}`), '  ```'],
    ],
  ] as const;
  for (const [turn, [style, quote]] of styles.entries()) {
    it(`${style} is neither WAITING nor THINKING`, () => {
      const wrong = someOf(everything, turn).flatMap((sample) => {
        const host = idle.get(sample.harness);
        if (host === undefined) return [`${sample.harness} has no host`];
        const at = host.capture.rows.findLastIndex((row) => answers.test(row)) + 1;
        const rows = [
          ...host.capture.rows.slice(0, at),
          '',
          ...quote(plain(shown(sample))),
          '',
          ...host.capture.rows.slice(at),
        ];
        const { state, rule } = readingOf(host, { rows });
        const fine = state === 'AGENT_STATE_IDLE' || state === 'AGENT_STATE_UNCERTAIN';
        return fine ? [] : [`${sample.name}: ${state} by ${rule}`];
      });
      expect(wrong).to.deep.equal([]);
    });
  }
});
