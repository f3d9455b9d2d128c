import { expect } from 'chai';
import type { Capture } from '#contract/pane/capture.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { questionOn } from '#machines/pane/question-text.ts';
import { read } from '#machines/pane/read.ts';
import expected from './asked-lines.json' with { type: 'json' };
import { loadGoldens } from './golden-screen.ts';
import { loadSamples } from './screen-corpus.ts';

interface Shown {
  readonly name: string;
  readonly harness: string;
  readonly capture: Capture;
}

const screens: readonly Shown[] = [
  ...loadGoldens().map(({ harness, name, capture }) => ({ name: `${harness}/${name}`, harness, capture })),
  ...loadSamples(),
];
const asked = ({ harness, capture }: Omit<Shown, 'name'>): string => {
  const known = screensOf(builtIn, harness);
  return questionOn(known, capture, read(known, capture));
};
const waiting = screens.filter(
  ({ harness, capture }) => read(screensOf(builtIn, harness), capture).state === 'AGENT_STATE_WAITING',
);
const named = (name: string): Shown => {
  const found = screens.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no screen ${name}`);
  return found;
};

describe('what a screen that waits asks', () => {
  it('is known of every screen that waits', () => {
    expect(waiting.map(({ name }) => name)).to.have.members(Object.keys(expected));
  });

  for (const shown of waiting) {
    it(`${shown.name}`, () => {
      expect(asked(shown))
        .to.equal(expected[shown.name as keyof typeof expected])
        .and.not.to.equal('');
    });
  }

  it('is nothing if nobody is waited for', () => {
    const others = screens.filter((one) => !waiting.includes(one));
    expect(others.map(asked).filter((line) => line !== '')).to.deep.equal([]);
  });

  it('is one line of at most 200 characters, cut at its end, whatever the command', () => {
    const { harness, capture } = named('claude/permission-bash');
    const rows = capture.rows.map((row) => row.replace('rm -r build', '🦊x '.repeat(90)));
    const line = asked({ harness, capture: { ...capture, rows } });
    expect([...line]).to.have.length.within(190, 200);
    expect(line).to.match(/^Bash command · 🦊x 🦊x .*…$/u);
  });

  it('has no control, no bidirectional and no invisible character', () => {
    const { harness, capture } = named('claude/permission-bash');
    const rows = capture.rows.map((row) =>
      row.replace('rm -r build', 'rm \u202e-r\u200b \u2066build\u2028 \u0007x\ufeff'),
    );
    expect(asked({ harness, capture: { ...capture, rows } })).to.equal(
      'Bash command · rm -r build x · Do you want to proceed?',
    );
  });

  it('leaves out diffs and code, and keeps a sentence that begins with a number', () => {
    const { harness, capture } = named('claude/permission-statusline-below');
    const at = capture.rows.findIndex((row) => row.includes('src/a.ts'));
    const code = [
      ' ╌╌╌╌╌╌╌╌',
      '  41   const secret = 1',
      '  42 - const old = 2',
      '  42 + const young = 3',
      ' ╌╌╌╌╌╌╌╌',
    ];
    const note = ' 3 files are changed with it';
    const rows = capture.rows.toSpliced(at + 1, 0, ...code, note);
    expect(asked({ harness, capture: { ...capture, rows } })).to.equal(
      'Edit file src/a.ts · 3 files are changed with it · Do you want to make this edit to a.ts?',
    );
  });

  it('is another one for another question at the same place', () => {
    expect(asked(named('claude/ask2.ask-80x24'))).not.to.equal(asked(named('claude/ask2.second-80x24')));
  });

  it('is the same while another choice is marked', () => {
    expect(asked(named('claude/trust-80x24'))).to.equal(asked(named('claude/trustyes.second-80x24')));
  });
});

/** Screens on which somebody types, and how: each holds `hunter2` then. */
const typed: readonly (readonly [screen: string, from: RegExp | string, to: string])[] = [
  ['claude/login-code', /prompted >$/, 'prompted > hunter2'],
  ['claude/question-cursor-last', '3. Type something.', '3. hunter2'],
  ['claude/ask.ask-80x24', '4. Type something.', '4. hunter2'],
  ['codex/question-freeform', 'Type your answer (optional)', 'hunter2'],
  ['copilot/question-freeform', 'Name: orders', 'Name: hunter2'],
  ['copilot/ask.ask-50x20', 'Other (type your answer)', 'hunter2'],
  ['gemini/login-key', 'Paste your API key here', 'hunter2                '],
  ['gemini/onboarding.key-80x24', /aste your API key here/, 'hunter2                '],
  ['opencode/question', 'Type your own answer', 'hunter2'],
  ['qwen/question', 'Type something...', 'hunter2'],
  ['cline/ask.ask-80x24', 'Type a response...', 'hunter2'],
  ['pi/menu', /^( ?)>.*$/, '$1> hunter2'],
  ['amp/approval-in-edge', /│ {8}/, '│ hunter2'],
  ['amp/approval-below-composer', /│ {8}/, '│ hunter2'],
];

describe('what somebody types', () => {
  for (const [name, from, to] of typed) {
    it(`is not reported of ${name}`, () => {
      const { harness, capture } = named(name);
      const rows = capture.rows.map((row) => row.replace(from, to));
      expect(rows.join('\n'), 'nothing was typed').to.include('hunter2');
      const reading = {
        ...read(screensOf(builtIn, harness), { ...capture, rows }),
        state: 'AGENT_STATE_WAITING',
      } as const;
      expect(questionOn(screensOf(builtIn, harness), { ...capture, rows }, reading)).not.to.include('hunter2');
    });
  }

  it('is notified of no draft in any composer, were the screen read as waiting', () => {
    const drafts = screens.filter(({ name }) => /\/typed|draft/.test(name));
    expect(drafts.length).to.be.above(20);
    for (const { name, harness, capture } of drafts) {
      const known = screensOf(builtIn, harness);
      const line = questionOn(known, capture, { state: 'AGENT_STATE_WAITING', evidence: [] });
      expect(line, name).not.to.match(/draft|half-typed|unsent/i);
    }
  });
});

describe('a screen that is made to be hard', () => {
  it('is reported in no time, whatever is on it', () => {
    const nasty = [
      ' '.repeat(990),
      `│${' │'.repeat(490)}`,
      '1. '.repeat(300),
      '(y'.repeat(400),
      '? · '.repeat(240),
      '+1 '.repeat(300),
    ];
    for (const row of nasty) {
      const rows = Array.from({ length: 60 }, () => `${row}x`);
      for (const { name, screens: known } of builtIn.all()) {
        const started = performance.now();
        const capture = { ...named('claude/permission-bash').capture, rows, width: 1000, height: 60 };
        expect(
          [...questionOn(known, capture, { state: 'AGENT_STATE_WAITING', evidence: [`${row}x`] })].length,
        ).to.be.at.most(200);
        expect(performance.now() - started, `${name} ${row.slice(0, 6)}`).to.be.below(1_000);
      }
    }
  });

  it('is notified of every screen, cut anywhere, without a fault', () => {
    for (const { harness, capture } of waiting) {
      const known = screensOf(builtIn, harness);
      for (let cut = 1; cut < capture.rows.length; cut += 5) {
        const part = { ...capture, rows: capture.rows.slice(cut) };
        expect([...questionOn(known, part, { state: 'AGENT_STATE_WAITING', evidence: [] })].length).to.be.at.most(200);
      }
    }
  });
});
