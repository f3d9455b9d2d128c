import type { CliIo } from './io.ts';

const home = '\u001b[H';
const clearAll = '\u001b[2J';
const clearLine = '\u001b[K';
const clearBelow = '\u001b[J';

/** A text that is drawn in place on the terminal, again and again. */
export interface Screen {
  draw(): void;
  /** Stops drawing; what was drawn last stays. */
  close(): void;
}

/** Draws what `text` makes on each `draw`, and every so many milliseconds by itself. What does not fit is counted. */
export function screenOf(io: CliIo, text: () => string, every: number): Screen {
  let drawn = false;
  const draw = (): void => {
    const lines = fitting(text().trimEnd().split('\n'), io.stdout.rows ?? 24);
    const body = lines.map((line) => `${line}${clearLine}\n`).join('');
    io.stdout.write((drawn ? home : clearAll + home) + body + clearBelow);
    drawn = true;
  };
  const timer = setInterval(() => drawn && draw(), every);
  return { draw, close: () => clearInterval(timer) };
}

function fitting(lines: readonly string[], rows: number): readonly string[] {
  const room = Math.max(2, rows - 1);
  return lines.length <= room ? lines : [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more`];
}
