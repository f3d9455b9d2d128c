import { expect } from 'chai';
import type { Capture } from '#contract/pane/capture.ts';
import { HarnessScreens } from '#contract/pane/screen-rule.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { explain, read } from '#machines/pane/read.ts';
import { isSlowPattern } from '#world/pattern-trial.ts';
import { captureOf, loadSamples } from './screen-corpus.ts';

describe('the screens of every harness', () => {
  for (const { name, screens } of builtIn.all()) {
    it(`of ${name} are plain data that survives a JSON file and keeps to the schema`, () => {
      const copy: unknown = JSON.parse(JSON.stringify(screens));
      expect(HarnessScreens.parse(copy)).to.deep.equal(screens);
    });

    it(`of ${name} have rules with ids of their own`, () => {
      const ids = screens.rules.map((rule) => rule.id);
      expect(ids).to.deep.equal([...new Set(ids)]);
    });
  }

  it('have no pattern that takes long on rows that are made to be hard', () => {
    const sources = builtIn.all().flatMap(({ screens }) => {
      const rules = screens.rules.flatMap(({ all, any = [], none = [] }) => [...all, ...any, ...none]);
      return stringsIn([screens.layout, rules]);
    });
    expect([...new Set(sources)].filter((source) => isSlowPattern(source))).to.deep.equal([]);
  });

  it('refuse a pattern that is not a regular expression, by name', () => {
    const rule = { id: 'x/y', priority: 1, state: 'AGENT_STATE_IDLE', all: [{ in: 'screen', row: '(' }] };
    const result = HarnessScreens.shape.rules.safeParse([rule]);
    expect(result.error?.issues[0]?.message).to.equal(
      'is not a valid regular expression (Invalid regular expression: /(/du: Unterminated group): (',
    );
  });

  it('of an unknown harness decide nothing', () => {
    const sample = loadSamples().find((each) => each.name === 'claude/fresh-80x24');
    const reading = sample && read(screensOf(builtIn, 'something-new'), sample.capture);
    expect(reading).to.deep.equal({
      state: 'AGENT_STATE_UNCERTAIN',
      rule: 'none',
      evidence: [],
      reason: '',
      detail: '',
    });
  });
});

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

describe('an explanation', () => {
  const samples = new Map(loadSamples().map((sample) => [sample.name, sample]));
  const explained = (name: string): ReturnType<typeof explain> => {
    const sample = samples.get(name);
    if (sample === undefined) throw new Error(`there is no sample ${name}`);
    return explain(screensOf(builtIn, sample.harness), sample.capture);
  };

  it('carries the reading with the rows it rests on', () => {
    const { reading } = explained('claude/think.mid-80x24');
    expect(reading.rule).to.equal('claude/status-row');
    expect(reading.evidence).to.deep.equal(['✽ Thundering… (4s · ↓ 40 tokens · thinking)']);
  });

  it('carries of a permission the question and its choices, and nothing of the preview above', () => {
    expect(explained('claude/edit.ask-80x24').reading.evidence).to.deep.equal([
      ' Do you want to create add.js?',
      ' ❯ 1. Yes',
      '   2. Yes, and switch to accept edits (auto-approve file edits and common file',
      '      commands) for this session (shift+tab)',
      '   3. No',
      ' Esc to cancel · Tab to amend',
    ]);
    const [first = '', second = ''] = explained('codex/edit.ask-200x50').reading.evidence;
    expect([first.trim(), second.trim()]).to.deep.equal([
      'Would you like to make the following edits?',
      '› 1. Yes, proceed (y)',
    ]);
    expect(explained('qwen/edit.ask-80x24').reading.evidence[0]).to.match(/^ +Apply this change\?/);
    expect(explained('copilot/edit.ask-80x24').reading.evidence[0]).to.match(/^│ Do you want to create /);
    const boxed = explained('gemini/altbuf.ask-80x24').reading.evidence.map((row) => row.replace(/[│█]/g, '').trim());
    expect(boxed).to.deep.equal([
      'Allow execution of [Shell]?',
      '● 1. Allow once',
      '2. Allow for this session',
      '3. No, suggest changes (esc)',
    ]);
  });

  it('names what decided beside the screen, which shows none of it', () => {
    const evidenceOf = (harness: string, more: Partial<Capture>): readonly string[] => {
      const facts = { size: '80x24', cursor: '11,0', command: 'bash' };
      return explain(screensOf(builtIn, harness), { ...captureOf(['Say a word '], facts), ...more }).reading.evidence;
    };
    expect(evidenceOf('shell', { awaitsLine: true })).to.deep.equal([
      'input: the program waits for a line',
      'Say a word ',
    ]);
    expect(evidenceOf('claude', {})).to.deep.equal(['command: bash']);
    expect(evidenceOf('claude', { dead: true })).to.deep.equal(['pane: its program has ended']);
    expect(evidenceOf('claude', { inMode: true })).to.deep.equal(['pane: a person scrolls in it']);
    expect(evidenceOf('claude', { command: 'claude', programStatus: 'state=working' })).to.deep.equal([
      'status sequence: state=working',
    ]);
  });

  it('names the rules that matched and were outranked', () => {
    const { lost } = explained('claude/think.mid-80x24');
    expect(lost).to.deep.include({ rule: 'claude/rest', why: 'outranked by claude/status-row' });
    expect(lost.map((each) => each.rule)).to.include('claude/interrupt-hint');
  });

  it('names a rule that failed by one condition, and the condition', () => {
    const sample = captureOf(['› hello', '', '  gpt-5.4 default · ~/demo'], {
      size: '80x24',
      cursor: '0,0',
      title: '[ ! ] Action Required | demo',
    });
    const { reading, lost } = explain(screensOf(builtIn, 'codex'), sample);
    expect(reading.rule).to.equal('codex/disagrees');
    const near = lost.find((each) => each.rule === 'codex/title-blocked');
    expect(near?.why).to.equal('barred by composer is present');
  });

  it('gives the same reading as reading alone', () => {
    for (const sample of samples.values()) {
      const screens = screensOf(builtIn, sample.harness);
      expect(explain(screens, sample.capture).reading).to.deep.equal(read(screens, sample.capture));
    }
  });
});
