import type { IBufferCell } from '@xterm/headless';

/** The style of a cell, as numbers that are fast to compare. */
export interface CellStyle {
  /** One bit for each of `attributes`. */
  readonly attributes: number;
  /** -1 for the terminal's own colour, else 0 to 255 of the palette, or `trueColor` and a colour of 24 bits. */
  readonly foreground: number;
  readonly background: number;
}

/** The style that a screen starts with. */
export const plain: CellStyle = { attributes: 0, foreground: -1, background: -1 };

/** Bold, dim, italic, underlined, blinking, reverse, hidden, struck through: by their SGR numbers. */
const attributes = [1, 2, 3, 4, 5, 7, 8, 9] as const;
const trueColor = 0x1000000;

/** The style of a cell; the same object as `last` if it is the same style. */
export function toStyle(cell: IBufferCell, last: CellStyle): CellStyle {
  const bits = cell.isAttributeDefault() ? 0 : bitsOf(cell);
  const foreground = cell.isFgDefault() ? -1 : cell.getFgColor() + (cell.isFgRGB() ? trueColor : 0);
  const background = cell.isBgDefault() ? -1 : cell.getBgColor() + (cell.isBgRGB() ? trueColor : 0);
  const same = bits === last.attributes && foreground === last.foreground && background === last.background;
  return same ? last : { attributes: bits, foreground, background };
}

function bitsOf(cell: IBufferCell): number {
  const flags = [
    cell.isBold(),
    cell.isDim(),
    cell.isItalic(),
    cell.isUnderline(),
    cell.isBlink(),
    cell.isInverse(),
    cell.isInvisible(),
    cell.isStrikethrough(),
  ];
  return flags.reduce((bits, flag, place) => (flag ? bits | (1 << place) : bits), 0);
}

/** The SGR sequences that change one style to another, as tmux writes them. */
export function sgrBetween(before: CellStyle, after: CellStyle): string {
  const resets = (before.attributes & ~after.attributes) !== 0;
  const from = resets ? plain : before;
  const added = attributes.filter((_, place) => after.attributes & ~from.attributes & (1 << place));
  const codes = resets ? [0, ...added] : added;
  return (
    (codes.length > 0 ? `\u001b[${codes.join(';')}m` : '') +
    (from.foreground === after.foreground ? '' : `\u001b[${colorCode(after.foreground, 30)}m`) +
    (from.background === after.background ? '' : `\u001b[${colorCode(after.background, 40)}m`)
  );
}

/** `ground` is 30 for the foreground and 40 for the background. */
function colorCode(color: number, ground: number): string {
  if (color < 0) return `${ground + 9}`;
  if (color < 8) return `${ground + color}`;
  if (color < 16) return `${ground + 60 + color - 8}`;
  if (color < trueColor) return `${ground + 8};5;${color}`;
  return [ground + 8, 2, (color >> 16) & 0xff, (color >> 8) & 0xff, color & 0xff].join(';');
}
