import type { CliIo } from '#cli/client/io.ts';

const home = '\u001b[H';
const clearAll = '\u001b[2J';
const clearLine = '\u001b[K';
const clearBelow = '\u001b[J';
/** A line that is too long for the terminal ends at its edge, so that one line never takes two rows. */
const cutLines = '\u001b[?7l';
const wrapLines = '\u001b[?7h';

/** A text that is drawn in place on the terminal, again and again. */
export interface Screen {
  draw(): void;
  /** Stops drawing; what was drawn last stays. */
  close(): void;
}

/**
 * Draws what `text` makes on each `draw`, whenever the terminal changes its size, and every given number of
 * milliseconds by itself. What does not fit is counted.
 */
export function screenOf(io: CliIo, text: () => string, every: number): Screen {
  const { stdout } = io;
  let drawnOn: string | undefined;
  const draw = (): void => {
    const size = `${stdout.columns}x${stdout.rows}`;
    const lines = fitting(text().trimEnd().split('\n'), stdout.rows ?? 24);
    // Cleared before it is written: behind a line that reaches the edge, its own last letter would be cleared.
    const body = lines.map((line) => `${clearLine}${line}\n`).join('');
    // A terminal that was made narrower has broken the lines that stood there: none of them is where it was.
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
