import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { CliIo } from '#cli/client/io.ts';

/** Lines from a person or a script. */
export interface LineSource {
  /** The next line; undefined at the end. */
  next(): Promise<string | undefined>;
  /** Leaves the terminal's input to another program until the next call of `next`. */
  pause(): void;
  close(): void;
}

/** The lines of a text. */
export function linesOfText(text: string): LineSource {
  const lines = text.split(/\r?\n/);
  let at = 0;
  return {
    next: async () => lines[at++],
    pause: () => undefined,
    close: () => undefined,
  };
}

/** The lines that a person types. */
export function linesOfInput({ stdin }: Pick<CliIo, 'stdin'>): LineSource {
  const input = stdin instanceof Readable ? stdin : Readable.from(stdin);
  const reader = createInterface({ input, terminal: false });
  const waiting: ((line: string | undefined) => void)[] = [];
  const lines: string[] = [];
  let closed = false;
  reader.on('line', (line) => {
    const next = waiting.shift();
    if (next === undefined) lines.push(line);
    else next(line);
  });
  reader.on('close', () => {
    closed = true;
    for (const next of waiting.splice(0)) next(undefined);
  });
  return {
    next() {
      const line = lines.shift();
      if (line !== undefined || closed) return Promise.resolve(line);
      reader.resume();
      return new Promise((resolve) => waiting.push(resolve));
    },
    pause: () => void reader.pause(),
    close: () => reader.close(),
  };
}
