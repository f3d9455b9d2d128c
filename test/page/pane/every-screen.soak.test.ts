import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { withoutAttributes } from '#contract/pane/attributes.ts';
import type { Capture } from '#contract/pane/capture.ts';
import { cellsOf } from '#contract/pane/cells.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';
import { loadGoldens } from '#test/pane/golden-screen.ts';
import { loadSamples } from '#test/pane/screen-corpus.ts';
import { someOf } from '#test/support/some-of.ts';
import { closeContexts, sharedBrowser } from '../browser.ts';
import { cellsByXterm, cellsOfSpans, type Span } from './drawn-cells.ts';

const recorded = [
  ...loadSamples(),
  ...loadGoldens().map((one) => ({ ...one, name: `${one.harness}/${one.name}` })),
].map((one) => ({ ...one, capture: inItsPane(one.capture) }));
const screens = someOf(recorded);
/** How many screens are drawn in one call of the browser. */
const batch = 50;

interface Shown {
  readonly isBeside: boolean;
  readonly rows: readonly (readonly Span[])[];
  readonly marked: readonly number[];
  readonly letters: number;
}

describe('every recorded screen on the page', function () {
  this.timeout(240_000);
  let browser: Browser;
  let page: Page;
  const shown = new Map<string, Shown>();
  const evidenceOf = ({ harness, capture }: { harness: string; capture: Capture }): readonly string[] =>
    read(screensOf(builtIn, harness), capture).evidence;

  before(async () => {
    browser = await sharedBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const { script, style } = await bundle();
    await page.setContent(`<style>${style}</style><div id="root"></div>`);
    await page.addScriptTag({ content: script });
    for (let from = 0; from < screens.length; from += batch) {
      const some = screens.slice(from, from + batch);
      const asked = some.map((one) => [screenOf(one.capture), evidenceOf(one)]);
      const drawn = await page.evaluate<Shown[]>(`window.show(${JSON.stringify(asked)})`);
      for (const [at, one] of drawn.entries()) shown.set(some[at]?.name ?? '', one);
    }
  });
  after(() => closeContexts(browser));

  it('is drawn cell by cell as xterm draws it', async () => {
    expect(recorded.length).to.be.at.least(1_000);
    expect(shown.size).to.equal(screens.length);
    for (const { name, capture } of screens) {
      const expected = await cellsByXterm(capture);
      const rows = shown.get(name)?.rows ?? [];
      for (const [at, cells] of expected.entries()) {
        expect(cellsOfSpans(rows[at] ?? [], cellsOf), `${name}, row ${at}`).to.deep.equal(cells);
      }
    }
  });

  it('has its evidence marked on its rows', () => {
    for (const one of screens) {
      const { marked = [], rows = [] } = shown.get(one.name) ?? {};
      const texts = marked.map((at) => textOf(rows[at]));
      const evidence = evidenceOf(one).map(bare);
      const stands = (row: string): boolean =>
        row !== '' && evidence.some((wanted) => row.includes(wanted) || wanted.includes(row));
      expect(
        texts.filter((row) => !stands(row)),
        one.name,
      ).to.deep.equal([]);
      const onScreen = evidence.filter((wanted) => holdIt(rows.map(textOf), wanted));
      expect(
        onScreen.filter((wanted) => !holdIt(texts, wanted)),
        one.name,
      ).to.deep.equal([]);
    }
  });

  it('has text of at least 12 pixels in a window of 1280, with room for the panel', () => {
    for (const { name } of screens) {
      expect(shown.get(name)?.letters, name).to.be.at.least(12);
      expect(shown.get(name)?.isBeside, name).to.equal(true);
    }
  });
});

/** A screen in a pane that is large enough: some samples do not record the size of theirs. */
function inItsPane(capture: Capture): Capture {
  const { rows } = capture;
  const width = Math.max(capture.width, ...rows.map((row) => cellsOf(withoutAttributes(row))));
  return { ...capture, width, height: Math.max(capture.height, rows.length) };
}

function screenOf({ rows, cursor, width, height }: Capture): object {
  return { text: rows.join('\n'), rowsAbove: 0, width, height, cursorRow: cursor.row, cursorColumn: cursor.column };
}

const bare = (text: string): string =>
  text
    .replace(/[\ufe0e\u200b]/g, '')
    .replaceAll('\u00a0', ' ')
    .trim();
const textOf = (row: readonly Span[] = []): string => bare(row.map(({ text }) => text).join(''));

/** Whether rows hold what is named as evidence, or were all too narrow for it, so that it was wrapped. */
const holdIt = (rows: readonly string[], wanted: string): boolean =>
  wanted !== '' &&
  (rows.some((row) => row.includes(wanted)) || withoutBlanks(rows.join('')).includes(withoutBlanks(wanted)));
const withoutBlanks = (text: string): string => text.replace(/\s+/g, '');

/** The page's terminal with its styles, as the page's own build makes them. */
async function bundle(): Promise<{ script: string; style: string }> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      cssCodeSplit: false,
      lib: { entry: new URL('terminal-stage.mjs', import.meta.url).pathname, formats: ['iife'], name: 'stage' },
    },
  });
  const output = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []));
  const script = output.find((one): one is Rolldown.OutputChunk => one.type === 'chunk')?.code ?? '';
  const style = output.find(
    (one): one is Rolldown.OutputAsset => one.type === 'asset' && one.fileName.endsWith('.css'),
  );
  return { script, style: String(style?.source ?? '') };
}
