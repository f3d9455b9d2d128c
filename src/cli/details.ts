import { paintFor } from './color.ts';
import type { CliIo } from './io.ts';
import { printable } from './printable.ts';

/** Named values under each other; those without a value are left out. */
export function details(io: CliIo, values: Readonly<Record<string, string | undefined>>): string {
  const paint = paintFor(io);
  const given = Object.entries(values).filter(([, value]) => value);
  const width = Math.max(0, ...given.map(([name]) => name.length));
  return given.map(([name, value = '']) => `${paint('bold', name.padEnd(width))}  ${printable(value)}\n`).join('');
}
