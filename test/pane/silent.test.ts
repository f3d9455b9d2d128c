import { expect } from 'chai';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';
import { silentMs } from '#machines/pane/region.ts';
import type { KnownScreen } from './confusion.ts';
import { loadGoldens } from './golden-screen.ts';
import { captureOf, loadSamples } from './screen-corpus.ts';

describe('a pane that prints nothing', () => {
  const samples = loadSamples();

  it('is at rest after ten seconds if a long answer of Cline has pushed its first row off the screen', () => {
    const [ended] = samples.filter(({ name }) => name === 'cline/stream.done-80x24');
    if (ended === undefined) throw new Error('the screen is not recorded');
    expect(stateAfter(ended, silentMs - 1)).to.equal('AGENT_STATE_UNCERTAIN');
    expect(stateAfter(ended, silentMs)).to.equal('AGENT_STATE_IDLE');
  });

  it('is at rest after ten seconds if Cline has shown no answer, or stopped in the middle of a thought', () => {
    const ends = {
      'after the last retry': [' ❯ Fix it'],
      'after an interruption': [' ❯ Fix it', '', ' ▶ Thinking: ...rd 94 word 95 word 96.'],
    };
    const composer = ['─'.repeat(80), '❯ Ask anything...', '─'.repeat(80), ' stub-model (0) $0.00'];
    for (const [end, above] of Object.entries(ends)) {
      const capture = captureOf([...above, '', ...composer], { size: '80x24', cursor: '2,4' });
      const read = (silent: number) => stateAfter({ harness: 'cline', capture }, silent);
      expect([read(silentMs - 1), read(silentMs)], end).to.deep.equal(['AGENT_STATE_UNCERTAIN', 'AGENT_STATE_IDLE']);
    }
  });

  it('stays in doubt if Cline shows no row of its transcript, or an old part of it: then it prints nothing at work', () => {
    const hidden = ['streaming-headless', 'viewer-scrolled-at-work'];
    const goldens = loadGoldens().filter(({ harness, name }) => harness === 'cline' && hidden.includes(name));
    expect(goldens.map((golden) => stateAfter(golden, silentMs))).to.deep.equal(
      hidden.map(() => 'AGENT_STATE_UNCERTAIN'),
    );
  });

  it('does not become IDLE by its silence alone with any other CLI', () => {
    const changed = samples.filter((screen) => stateAfter(screen, silentMs) !== stateAfter(screen, 0));
    expect(new Set(changed.map(({ harness }) => harness))).to.deep.equal(new Set(['cline']));
    expect(new Set(changed.map((screen) => stateAfter(screen, 0)))).to.deep.equal(new Set(['AGENT_STATE_UNCERTAIN']));
  });
});

function stateAfter({ harness, capture }: Pick<KnownScreen, 'harness' | 'capture'>, silent: number): string {
  return read(screensOf(builtIn, harness), { ...capture, silentMs: silent }).state;
}
