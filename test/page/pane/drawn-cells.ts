import unicode from '@xterm/addon-unicode11';
import headless, { type IBufferCell } from '@xterm/headless';
import type { Capture } from '#contract/pane/capture.ts';
import { theme } from '#page/pane/theme.ts';

/** A stretch of a row as the document has it. */
export interface Span {
  readonly text: string;
  readonly color: string;
  readonly background: string;
  readonly look: string;
}

/** A non-blank cell as text: its position, content and style. */
type Cell = string;

const base = [
  ...[theme.black, theme.red, theme.green, theme.yellow, theme.blue, theme.magenta, theme.cyan, theme.white],
  ...[theme.brightBlack, theme.brightRed, theme.brightGreen, theme.brightYellow],
  ...[theme.brightBlue, theme.brightMagenta, theme.brightCyan, theme.brightWhite],
];
const clear = 'rgba(0, 0, 0, 0)';
/** Characters that have no cell: a terminal keeps them with the one before and draws the same. */
const cellless = /[\ufe0e\u200b]/g;

/**
 * What xterm makes of a captured screen in a terminal as large as its pane: the cells of each row that draw something.
 */
export async function cellsByXterm({ rows, width, height }: Capture): Promise<readonly (readonly Cell[])[]> {
  const terminal = openHeadless(width, height);
  await new Promise<void>((done) => terminal.write(`\u001b[?7l${rows.slice(0, height).join('\r\n')}`, done));
  const { active } = terminal.buffer;
  const cell = active.getNullCell();
  const found = Array.from({ length: height }, (_, at) => {
    const cells: Cell[] = [];
    for (let column = 0; column < width; column += 1) {
      active.getLine(at)?.getCell(column, cell);
      if (cell.getWidth() > 0) cells.push(...cellAt(column, cell));
    }
    return cells;
  });
  terminal.dispose();
  return found;
}

/** A terminal without a window, whose characters are as wide as on the page. */
export function openHeadless(cols: number, rows: number): InstanceType<typeof headless.Terminal> {
  const terminal = new headless.Terminal({ cols, rows, scrollback: 0, allowProposedApi: true });
  terminal.loadAddon(new unicode.Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  return terminal;
}

function cellAt(column: number, cell: IBufferCell): Cell[] {
  const [own, ground] = [colorOf(cell, 'Fg') ?? theme.foreground, colorOf(cell, 'Bg')];
  const [front, back] = cell.isInverse() ? [ground ?? theme.background, own] : [own, ground];
  const text = cell.isInvisible() ? ' ' : cell.getChars();
  return described({
    column,
    width: cell.getWidth(),
    text,
    color: rgb(front),
    background: back ? rgb(back) : clear,
    look: lookOf(cell),
  });
}

/** How a cell's letter looks, in words that CSS knows, such as `bold`. */
export function lookOf(cell: IBufferCell): string {
  const looks = [
    cell.isBold() && 'bold',
    cell.isDim() && 'dim',
    cell.isItalic() && 'italic',
    cell.isUnderline() && 'underline',
    cell.isStrikethrough() && 'strikethrough',
  ];
  return looks.filter(Boolean).join(' ');
}

/** The cells of a row of the document that draw something. */
export function cellsOfSpans(spans: readonly Span[], widthOf: (character: string) => number): readonly Cell[] {
  let column = 0;
  return spans.flatMap(({ text, ...style }) =>
    [...text].flatMap((character) => {
      const width = widthOf(character);
      const at = column;
      column += width;
      return described({ column: at, width, text: character, ...style });
    }),
  );
}

interface Drawn {
  readonly column: number;
  readonly width: number;
  readonly text: string;
  readonly color: string;
  readonly background: string;
  readonly look: string;
}

/** The cell in words; empty for an invisible blank. A dim letter's colour is the renderer's own mixture. */
function described({ column, width, text, color, background, look }: Drawn): Cell[] {
  const shown = text.replace(cellless, '').replace('\u00a0', ' ').trim();
  if (shown === '' && background === clear && !/underline|strike/.test(look)) return [];
  const ink = shown === '' || look.includes('dim') ? '' : color;
  return [`${column}+${width} ${JSON.stringify(shown)} ${ink} on ${background} ${look}`];
}

/** A colour of a cell as `#rrggbb`; undefined if it is the terminal's own. */
export function colorOf(cell: IBufferCell, side: 'Fg' | 'Bg'): string | undefined {
  const [isDefault, isRgb, color] =
    side === 'Fg'
      ? [cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()]
      : [cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()];
  if (isDefault) return undefined;
  return isRgb ? hex(color) : paletteColor(color);
}

/** The palette of 256 colours: the theme's own, a cube, and a row of greys. */
function paletteColor(index: number): string {
  if (index < 16) return base[index] ?? '';
  if (index >= 232) return hex((8 + 10 * (index - 232)) * 0x10101);
  const levels = [0, 95, 135, 175, 215, 255];
  const part = (by: number): number => levels[Math.floor((index - 16) / by) % 6] ?? 0;
  return hex((part(36) << 16) | (part(6) << 8) | part(1));
}

function hex(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}

function rgb(color: string): string {
  const value = Number.parseInt(color.slice(1), 16);
  return `rgb(${(value >> 16) & 255}, ${(value >> 8) & 255}, ${value & 255})`;
}
