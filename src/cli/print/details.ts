import type { CliIo } from '#cli/client/io.ts';
import { printable, printableLines } from '#contract/printable.ts';
import { paintFor } from './color.ts';

/** Named values, one below the other. Undefined values are omitted. */
export function details(io: CliIo, values: Readonly<Record<string, string | undefined>>): string {
  return entriesText(io, Object.entries(values));
}

/** A named value. Without a name, it continues the one above. */
export type Entry = readonly [name: string, value: string | undefined];

/** As `details`, for values with several lines. */
export function entriesText(io: CliIo, entries: readonly Entry[]): string {
  const paint = paintFor(io);
  const given = entries.filter(([, value]) => value);
  const width = Math.max(0, ...given.map(([name]) => name.length));
  return given.map(([name, value = '']) => `${paint('bold', name.padEnd(width))}  ${printable(value)}\n`).join('');
}

/** A text of several lines below its title; empty if there is no text. */
export function section(io: CliIo, title: string, text: string): string {
  return text === '' ? '' : `${paintFor(io)('bold', title)}\n${printableLines(text).trimEnd()}\n`;
}
