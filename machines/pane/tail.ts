import type { Capture } from '#contract/pane/capture.ts';
import { type ScreenTail, screenTailBytes } from '#contract/pane/sighting.ts';
import { parseScreen, styleAfter } from './screen.ts';
import { plain, type Style } from './style.ts';

/** How much of a title or a status sequence is kept, in characters. */
const wordLength = 1000;

/** The end of a captured screen that fits into `maxBytes`, with everything needed to read it again. */
export function tailOf(capture: Capture, maxBytes = screenTailBytes): ScreenTail {
  const { rows, title, programStatus, progress, cursor, ...rest } = capture;
  const first = firstFitting(rows, maxBytes);
  const kept = rows.slice(first);
  const carried = first === 0 ? '' : sgrOf(styleAfter(rows.slice(0, first)));
  const [top = '', ...others] = kept;
  return {
    ...rest,
    text: kept.length > 0 ? [carried + top, ...others].join('\n') : lastWords(rows, maxBytes),
    above: kept.length > 0 ? first : Math.max(0, rows.length - 1),
    title: title.slice(0, wordLength),
    programStatus: programStatus.slice(0, wordLength),
    progress: progress.slice(0, wordLength),
    cursor: { ...cursor },
  };
}

/** A stored tail as a capture that can be read again. Rows that were cut are blank. */
export function captureOf({ text, above, ...rest }: ScreenTail): Capture {
  return { ...rest, rows: [...Array<string>(above).fill(''), ...(text === '' ? [] : text.split('\n'))] };
}

/** The first row from which everything fits, including the style that continues into it. */
function firstFitting(rows: readonly string[], maxBytes: number): number {
  let room = maxBytes - sgrOf({ ...plain, foreground: '255,255,255', background: '255,255,255' }).length - 12;
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    room -= bytesOf(rows[at] ?? '') + 1;
    if (room < 0) return at + 1;
  }
  return 0;
}

/** If not even the last row fits: its text, without attributes. */
function lastWords(rows: readonly string[], maxBytes: number): string {
  const text = parseScreen(rows.slice(-1)).rows[0]?.text ?? '';
  return [...text].slice(0, Math.floor(maxBytes / 4)).join('');
}

function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** The SGR sequence that sets a style. */
function sgrOf(style: Style): string {
  const codes = [
    '0',
    ...(style.bold ? ['1'] : []),
    ...(style.dim ? ['2'] : []),
    ...(style.italic ? ['3'] : []),
    ...(style.underline ? ['4'] : []),
    ...(style.reverse ? ['7'] : []),
    ...(style.foreground === '' ? [] : [`38;2;${style.foreground.replaceAll(',', ';')}`]),
    ...(style.background === '' ? [] : [`48;2;${style.background.replaceAll(',', ';')}`]),
  ];
  return `\u001b[${codes.join(';')}m`;
}
