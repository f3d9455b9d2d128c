import type { RecordedScreen } from '#contract/pane/recorded-screen.ts';
import type { ComposerShape } from '#contract/pane/screen-rule.ts';
import { parseScreen } from '#machines/pane/screen.ts';
import { classOf, literal } from './literal.ts';

/** How a composer is enclosed, by the characters of the rows above and below it. */
const edges = [
  { above: /^ *╭/, top: '^ *╭', bottom: '^ *╰' },
  { above: /^ *┌/, top: '^ *┌', bottom: '^ *└' },
  { above: /^ *┏/, top: '^ *┏', bottom: '^ *┗' },
  { above: /^ *╔/, top: '^ *╔', bottom: '^ *╚' },
  { above: /^ *[▄▁▔▀]{3}/, top: '^ *[▄▁▔▀]{3}', bottom: '^ *[▄▁▔▀]{3}' },
  { above: /^ *[─━═]{3}/, top: '^ *[─━═]{3}', bottom: '^ *[─━═]{3}' },
];
const side = /^ *([│┃║▌█|])/;
/** What may precede the typed text: a side of a box, and a prompt sign. */
const leading = /^ *(?:[│┃║▌█|] ?)? *([^\p{L}\p{N}\s│┃║▌█|]{1,2})(?: |$)/u;

/** The position of a draft on a screen, and the rows around it. */
interface Draft {
  readonly rows: readonly string[];
  readonly at: number;
}

/**
 * The possible shapes of a composer, the most likely first: from the row of a draft that the CLI at rest does not show;
 * if no draft was recorded, from the cursor's row at rest.
 */
export function composerShapes(screens: readonly RecordedScreen[]): ComposerShape[] {
  const drafts = screens.filter(({ label }) => label === 'draft').map((draft) => findDraft(draft, screens));
  const rests = screens.filter(({ label }) => label === 'rest').map(atCursor);
  const shapes = [...drafts, ...rests].flatMap((found) => (found === undefined ? [] : shapesOf(found)));
  const byText = new Map(shapes.map((shape) => [JSON.stringify(shape), shape]));
  return [...byText.values()];
}

function shapesOf(found: Draft): ComposerShape[] {
  return [...framed(found), ...barred(found), ...open(found)];
}

function atCursor(screen: RecordedScreen): Draft | undefined {
  const rows = textsOf(screen);
  const at = screen.capture.cursor.row;
  return (rows[at] ?? '') === '' ? undefined : { rows, at };
}

/** The row nearest to the cursor that is on no screen at rest of the same size. */
function findDraft(draft: RecordedScreen, screens: readonly RecordedScreen[]): Draft | undefined {
  const rows = textsOf(draft);
  const rests = screens.filter(({ label, capture }) => label === 'rest' && capture.width === draft.capture.width);
  const known = new Set(rests.flatMap(textsOf));
  const changed = rows.flatMap((text, at) => (text !== '' && !known.has(text) ? [at] : []));
  const near = changed.toSorted(
    (a, b) => Math.abs(a - draft.capture.cursor.row) - Math.abs(b - draft.capture.cursor.row),
  );
  const [at] = near;
  return at === undefined ? undefined : { rows, at };
}

function framed({ rows, at }: Draft): ComposerShape[] {
  const above = rows[at - 1] ?? '';
  return edges
    .filter((edge) => edge.above.test(above))
    .map(({ top, bottom }) => {
      const bar = side.exec(rows[at] ?? '')?.[1];
      const sign = leading.exec(rows[at] ?? '')?.[1];
      const start = bar === undefined ? '^ *' : `^ *${literal(bar)} *`;
      const prompt = sign === undefined ? `${start}(?!${bottom.slice(1)})` : `${start}${literal(sign)}(?: |$)`;
      return {
        kind: 'framed',
        top,
        prompt,
        more: bar === undefined ? `^(?!${bottom.slice(1)})` : `^ *${literal(bar)}`,
        bottom,
      };
    });
}

/** Rows with the same bar on the left, closed by a row with another character. */
function barred({ rows, at }: Draft): ComposerShape[] {
  const bar = side.exec(rows[at] ?? '')?.[1];
  if (bar === undefined) return [];
  const last = rows.findIndex((text, row) => row > at && side.exec(text)?.[1] !== bar);
  const closing = /^( *)([^\p{L}\p{N}\s]{3})/u.exec(rows[last] ?? '');
  if (closing === null) return [];
  const bottom = `^( *)${classOf(closing[2] ?? '')}{3,}`;
  // Below the text there may be a row that names the model.
  const bases = [`^${literal(bar)} {2}\\S`, '^(?!)'];
  return bases.map((base) => ({ kind: 'barred', bar: `^${literal(bar)} {0,2}`, bottom, base }));
}

/** A prompt sign without a frame. */
function open({ rows, at }: Draft): ComposerShape[] {
  const sign = /^( {0,4})([^\p{L}\p{N}\s]{1,3})(?: |$)/u.exec(rows[at] ?? '');
  if (sign === null) return [];
  return [{ kind: 'open', prompt: `^${sign[1]}${literal(sign[2] ?? '')}(?: |$)`, more: '^(?: {2}|$)' }];
}

/** The rows of a screen, without attributes. */
export function textsOf({ capture }: RecordedScreen): string[] {
  return parseScreen(capture.rows).rows.map(({ text }) => text);
}
