import { colorOf, lookOf, openHeadless } from '#test/page/pane/drawn-cells.ts';
import type { Cast } from './cast-file.ts';

type Terminal = ReturnType<typeof openHeadless>;

/** A stretch of a row in one look. */
export interface Stretch {
  readonly column: number;
  /** How many columns it takes. */
  readonly width: number;
  readonly text: string;
  /** As `#rrggbb`; undefined for the terminal's own. */
  readonly color: string | undefined;
  readonly background: string | undefined;
  /** `bold`, `dim` and such, with blanks between them; `cursor` at the cursor. */
  readonly look: string;
}

/** What the terminal shows from a moment on. */
export interface Frame {
  /** In seconds since the beginning. */
  readonly at: number;
  readonly rows: readonly (readonly Stretch[])[];
}

/** Output within this many seconds of a frame belongs to it, because people see no difference. */
const frameSeconds = 0.06;

/** The frames of a recording, as xterm draws it. */
export async function framesOf({ width, height, outputs }: Cast): Promise<readonly Frame[]> {
  const terminal = openHeadless(width, height);
  const frames: Frame[] = [];
  for (const [place, { at, text }] of outputs.entries()) {
    await new Promise<void>((done) => terminal.write(text, done));
    const next = outputs[place + 1]?.at ?? Number.POSITIVE_INFINITY;
    if (next - at >= frameSeconds) frames.push({ at, rows: rowsOf(terminal) });
  }
  terminal.dispose();
  return frames;
}

function rowsOf(terminal: Terminal): Stretch[][] {
  return Array.from({ length: terminal.rows }, (_, row) => stretchesOf(terminal, row));
}

function stretchesOf(terminal: Terminal, row: number): Stretch[] {
  const { active } = terminal.buffer;
  const cell = active.getNullCell();
  const found: Stretch[] = [];
  for (let column = 0; column < terminal.cols; column += 1) {
    active.getLine(active.baseY + row)?.getCell(column, cell);
    const width = cell.getWidth();
    if (width === 0) continue;
    const isCursor = active.cursorY === row && active.cursorX === column;
    const [own, ground] = [colorOf(cell, 'Fg'), colorOf(cell, 'Bg')];
    const [color, background] = cell.isInverse() ? [ground ?? 'ground', own ?? 'ink'] : [own, ground];
    const look = isCursor ? 'cursor' : lookOf(cell);
    join(found, { column, width, text: cell.getChars() || ' ', color, background, look });
  }
  return found.filter(({ text, background, look }) => text.trim() !== '' || background !== undefined || look !== '');
}

/** Adds a cell to the preceding run if it has the same style. */
function join(found: Stretch[], cell: Stretch): void {
  const last = found.at(-1);
  const isSame =
    last !== undefined &&
    last.color === cell.color &&
    last.background === cell.background &&
    last.look === cell.look &&
    last.width === [...last.text].length &&
    cell.width === 1;
  if (!isSame) found.push(cell);
  else found[found.length - 1] = { ...last, width: last.width + 1, text: last.text + cell.text };
}
