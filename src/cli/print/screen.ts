import type { CliIo } from '#cli/client/io.ts';

const home = '\u001b[H';
const clearAll = '\u001b[2J';
const clearLine = '\u001b[K';
const clearBelow = '\u001b[J';
/** Makes the terminal cut long lines at its edge, so that a line never takes two rows. */
const cutLines = '\u001b[?7l';
const wrapLines = '\u001b[?7h';

/** A text that is redrawn in place on the terminal. */
export interface Screen {
  draw(): void;
  /** Stops drawing. The last drawing stays. */
  close(): void;
}

/**
 * Draws the result of `text` on each `draw`, on each resize of the terminal, and every `every` milliseconds. Lines that
 * do not fit are counted.
 */
export function screenOf(io: CliIo, text: () => string, every: number): Screen {
  const { stdout } = io;
  let drawnOn: string | undefined;
  const draw = (): void => {
    const size = `${stdout.columns}x${stdout.rows}`;
    const lines = fitting(text().trimEnd().split('\n'), stdout.rows ?? 24);
    // Each line is cleared first: clearing after a line that reaches the edge would erase its last letter.
    const body = lines.map((line) => `${clearLine}${line}\n`).join('');
    // A narrower terminal has rewrapped the old lines, so all of them are cleared.
    stdout.write((drawnOn === size ? home : clearAll + home) + cutLines + body + clearBelow + wrapLines);
    drawnOn = size;
  };
  const drawAgain = (): void => {
    if (drawnOn !== undefined) draw();
  };
  const timer = setInterval(drawAgain, every);
  const ignoreResize = stdout.onResize(drawAgain);
  return {
    draw,
    close: () => {
      clearInterval(timer);
      ignoreResize();
    },
  };
}

function fitting(lines: readonly string[], rows: number): readonly string[] {
  const room = Math.max(2, rows - 1);
  return lines.length <= room ? lines : [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more`];
}
