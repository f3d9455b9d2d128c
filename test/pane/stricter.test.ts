import { expect } from 'chai';
import type { Capture } from '#contract/pane/capture.ts';
import { isNewer } from '#contract/pane/harness-version.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';
import { capturedVersions, type KnownScreen } from './confusion.ts';
import { changeable } from './mutants/mutants.ts';

const newest = '999.0.0';
/** CLIs of which only golden screens are recorded, which show their version. */
const golden = new Map([
  ['kilo', '7.7.9'],
  ['droid', '0.215.0'],
]);

describe('the rules of a harness', () => {
  it('name the newest version whose screens are here, and none without screens', () => {
    const recorded = builtIn.all().map(({ name, recordedWith }) => [name, recordedWith]);
    const captured = capturedVersions();
    const isShown = ({ harness, capture }: KnownScreen, version: string): boolean =>
      captured.get(harness) === undefined && capture.rows.some((row) => row.includes(version));
    for (const [name, version] of golden)
      expect(changeable().some((screen) => screen.harness === name && isShown(screen, version))).to.equal(true);
    expect(recorded).to.deep.equal(builtIn.all().map(({ name }) => [name, captured.get(name) ?? golden.get(name)]));
  });

  for (const { name, versionArgs, codingAgent } of builtIn.all()) {
    it(`ask ${name} for its version only if a coding agent is behind it`, () => {
      expect(versionArgs !== undefined).to.equal(codingAgent === true);
    });
  }
});

describe('the screen of a CLI that is newer than its rules', () => {
  const screens = changeable();
  const readings = screens.map((screen) => ({
    screen,
    usual: read(screensOf(builtIn, screen.harness), screen.capture),
    strict: read(screensOf(builtIn, screen.harness, newest), screen.capture),
  }));

  it('is read as before, or is UNCERTAIN where it would be at rest', () => {
    for (const { screen, usual, strict } of readings) {
      if (strict.state === usual.state) continue;
      expect([usual.state, strict.state, strict.reason], screen.name).to.deep.equal([
        'AGENT_STATE_IDLE',
        'AGENT_STATE_UNCERTAIN',
        'unknown-row',
      ]);
    }
  });

  it('is still at rest in 19 of 20 recorded cases: caution must not stop the fleet', () => {
    const rest = readings.filter(({ usual }) => usual.state === 'AGENT_STATE_IDLE');
    const kept = rest.filter(({ strict }) => strict.state === 'AGENT_STATE_IDLE');
    expect(kept.length / rest.length).to.be.above(0.95);
  });

  it('is not read otherwise where its version is the one of the rules, or not known', () => {
    const claude = builtIn.find('claude');
    expect(isNewer(claude?.recordedWith, claude?.recordedWith)).to.equal(false);
    for (const version of [undefined, claude?.recordedWith, '1.0.0']) {
      expect(screensOf(builtIn, 'claude', version)).to.equal(claude?.screens);
    }
    expect(screensOf(builtIn, 'claude', newest)).to.equal(screensOf(builtIn, 'claude', newest));
  });

  const rest = readings.find(({ screen }) => screen.name === 'claude/done-200x50')?.screen ?? readings[0]?.screen;
  const drawn: [string, string, (capture: Capture) => Capture][] = [
    ['work drawn within the indentation of an answer', 'newer/working-row', (one) => above(one, '  - Weaving…')],
    [
      'a time that counts there',
      'newer/working-row',
      (one) => above(one, '    and then it ran all of the other tests (12s)'),
    ],
    [
      'a sign that is not known in its footer',
      'newer/footer-sign',
      (one) => ({ ...one, rows: [...one.rows, '  ◴ main'] }),
    ],
    ['a sign that is not known in its title', 'claude/unknown-title', (one) => ({ ...one, title: '◴ Claude Code' })],
  ];
  for (const [what, rule, change] of drawn) {
    it(`is in doubt over ${what}`, () => {
      if (rest === undefined) throw new Error('no screen of rest is recorded');
      const capture = change(rest.capture);
      const usual = read(screensOf(builtIn, 'claude'), capture);
      const strict = read(screensOf(builtIn, 'claude', newest), capture);
      expect(strict).to.deep.include({ state: 'AGENT_STATE_UNCERTAIN', rule, reason: 'unknown-row' });
      expect(usual.rule).not.to.match(/^newer\//);
    });
  }
});

/** A screen with one more row right above its composer, in place of a blank one. */
function above(capture: Capture, row: string): Capture {
  const top = capture.rows.findLastIndex((text) => /─{8}/.test(text));
  const frame = capture.rows.slice(0, top).findLastIndex((text) => /─{8}/.test(text));
  return { ...capture, rows: [...capture.rows.slice(0, frame - 1), row, ...capture.rows.slice(frame)] };
}
