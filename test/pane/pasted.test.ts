import { expect } from 'chai';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';
import { loadGoldens } from './golden-screen.ts';
import { loadSamples } from './screen-corpus.ts';

// Whatever is pasted into a composer is a draft: a dialog, a status row, a whole screen.

/** How each CLI indents the rows of a draft, and the row of the composer in its golden screen `rest`. */
const composers: Readonly<
  Record<string, { readonly host?: string; readonly prompt: RegExp; readonly first: string; readonly more: string }>
> = {
  claude: { host: 'placeholder-plain', prompt: /^❯/, first: '❯ ', more: '  ' },
  codex: { prompt: /^›/, first: '› ', more: '  ' },
  gemini: { prompt: /^ > {3}Type/, first: ' > ', more: '   ' },
  opencode: { prompt: /^ +┃$/, first: '  ┃  ', more: '  ┃  ' },
  copilot: { prompt: /^❯/, first: '❯ ', more: '  ' },
  qwen: { prompt: /^> /, first: '> ', more: '  ' },
  cline: { prompt: /^❯/, first: '❯ ', more: '  ' },
  cursor: { prompt: /^ *→/, first: '  → ', more: '    ' },
  amp: { prompt: /^│ *│$/, first: '│ ', more: '│ ' },
};

const attributes = /\p{Cc}\[[0-9;:]*m/gu;
const plain = (rows: readonly string[]): string[] => rows.map((row) => row.replace(attributes, '').trimEnd());

describe('a screen pasted into the composer', () => {
  const goldens = loadGoldens();
  const screens = [...loadSamples(), ...goldens];

  for (const [harness, { host: named = 'rest', prompt, first, more }] of Object.entries(composers)) {
    it(`of ${harness} is a draft`, () => {
      const host = goldens.find((golden) => golden.harness === harness && golden.name === named);
      const rows = plain(host?.capture.rows ?? []);
      const at = rows.findLastIndex((row) => prompt.test(row));
      expect(at, `the composer of ${harness}`).to.be.above(-1);
      const wrong = screens.flatMap(({ name, harness: of, capture }) => {
        const pasted = plain(capture.rows);
        const shown = pasted.slice(0, pasted.findLastIndex((row) => row !== '') + 1);
        if (of !== harness || shown.length === 0) return [];
        const draft = shown.map((row, place) => ((place === 0 ? first : more) + row).trimEnd());
        if (host === undefined) return [name];
        const all = [...rows.slice(0, at), ...draft, ...rows.slice(at + 1)];
        // A pane shows no more rows than it has.
        const height = Math.max(host.capture.height, all.length);
        const { state, rule } = read(screensOf(builtIn, harness), { ...host.capture, height, rows: all });
        return state === 'AGENT_STATE_UNCERTAIN' ? [] : [`${name}: ${state} by ${rule}`];
      });
      expect(wrong).to.deep.equal([]);
    });
  }
});
