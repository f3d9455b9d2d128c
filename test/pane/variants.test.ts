import { expect } from 'chai';
import type { Capture } from '#contract/pane/capture.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';
import { captureOf } from './screen-corpus.ts';
import { aider } from './variants/aider.ts';
import { amp } from './variants/amp.ts';
import { claude } from './variants/claude.ts';
import { cline } from './variants/cline.ts';
import { codex } from './variants/codex.ts';
import { copilot } from './variants/copilot.ts';
import { cursor } from './variants/cursor.ts';
import { gemini } from './variants/gemini.ts';
import { opencode } from './variants/opencode.ts';
import { pi } from './variants/pi.ts';
import { qwen } from './variants/qwen.ts';
import type { Variant, Variants } from './variants/variant.ts';

// Screens that nobody captured: other widths, languages, glyphs, verbs, tools, numbers of options, older layouts.

const harnesses: Readonly<Record<string, Variants>> = {
  aider,
  amp,
  claude,
  cline,
  codex,
  copilot,
  cursor,
  gemini,
  opencode,
  pi,
  qwen,
};
const widths = [40, 60, 80, 120, 200];

function captured({ screen, title }: Variant, width: number): Capture {
  const rows = screen.split('\n');
  return captureOf(rows, { size: `${width}x${Math.max(24, rows.length)}`, cursor: `0,${rows.length - 1}`, title });
}

/** How a screen is read, as an expectation is written: with the reason where the expectation names one. */
function asExpected(harness: string, variant: Variant, width: number): string {
  const { state, reason } = read(screensOf(builtIn, harness), captured(variant, width));
  const word = state.replace('AGENT_STATE_', '');
  return variant.expected.includes('/') ? `${word}/${reason}` : word;
}

for (const [harness, variants] of Object.entries(harnesses)) {
  describe(`screens of ${harness} that nobody captured`, () => {
    for (const width of widths) {
      it(`are read right in a pane of ${width} columns`, () => {
        const wrong = variants(width).flatMap((variant) => {
          const got = asExpected(harness, variant, width);
          return got === variant.expected ? [] : [`${variant.name}: ${variant.expected} read as ${got}`];
        });
        expect(wrong).to.deep.equal([]);
      });
    }
  });
}
