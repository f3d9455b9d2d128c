import { expect } from 'chai';
import type { PaneState } from '#contract/agent/agent-state.ts';
import type { RecordedScreen, ScreenLabel } from '#contract/pane/recorded-screen.ts';
import { harnessesOf } from '#machines/harness/harnesses.ts';
import { isFatal, readRecorded } from '#machines/harness/learn/assessment.ts';
import { learnHarness, screensOfFile } from '#machines/harness/learn/learn.ts';
import { builtIn } from '#machines/harness/table.ts';
import { isSoak } from '#test/support/soak.ts';
import { loadSamples, type Sample } from '../../pane/screen-corpus.ts';

const labels: Readonly<Record<PaneState, ScreenLabel>> = {
  AGENT_STATE_IDLE: 'rest',
  AGENT_STATE_THINKING: 'working',
  AGENT_STATE_WAITING: 'permission',
  AGENT_STATE_UNCERTAIN: 'other',
};

function recorded({ name, note, state, capture }: Sample, place: number): RecordedScreen {
  const isDraft = state === 'AGENT_STATE_UNCERTAIN' && /typed|draft|pasted/.test(note);
  return { name, label: isDraft ? 'draft' : labels[state], moment: place + 1, capture };
}

describe('learned rules', () => {
  const all = Map.groupBy(loadSamples(), ({ harness }) => harness);
  // The CLI with the most screens takes longest to learn.
  for (const name of isSoak ? ['claude', 'codex', 'gemini', 'opencode', 'pi'] : ['codex', 'pi']) {
    it(`read no work and no question of ${name} as rest, and more than without them`, () => {
      const others = harnessesOf(builtIn.all().filter((harness) => harness.name !== name));
      const screens = (all.get(name) ?? []).map(recorded);
      const lesson = screens.filter((_, place) => place % 3 !== 0);
      const learned = learnHarness(
        { name: 'new', launch: { command: name }, screens: lesson, like: undefined },
        others,
      );
      const proofs = (learned.file.disable ?? []).filter((id) => /^composer\/|\/unknown-/.test(id));
      expect(proofs, 'proofs of rest that were switched off').to.deep.equal([]);
      const harness = screensOfFile('new', learned.file, others);
      const own = lesson.map((screen) => readRecorded(harness, screen));
      expect(own.filter(isFatal).map(({ screen }) => screen.name)).to.deep.equal([]);
      expect(own.filter(({ verdict }) => verdict === 'right').length).to.be.at.least(learned.rightBefore);
      const unseen = screens
        .filter((screen) => !lesson.includes(screen))
        .map((screen) => readRecorded(harness, screen));
      expect(unseen.filter(isFatal).map(({ screen, rule }) => `${screen.name} ${rule}`)).to.deep.equal([]);
    });
  }

  it('leave undecided what looks the same at rest and at work', () => {
    const [rest] = (all.get('claude') ?? []).filter(({ state }) => state === 'AGENT_STATE_IDLE').map(recorded);
    if (rest === undefined) throw new Error('there is no screen at rest');
    const screens = [rest, { ...rest, name: 'working-1', label: 'working' as const }];
    const { file } = learnHarness({ name: 'new', launch: { command: 'x' }, screens, like: undefined }, builtIn);
    const harness = screensOfFile('new', file, builtIn);
    expect(screens.map((screen) => readRecorded(harness, screen).state)).to.deep.equal([
      'AGENT_STATE_UNCERTAIN',
      'AGENT_STATE_UNCERTAIN',
    ]);
  });
});
