import { styleText } from 'node:util';
import type { CliIo } from '#cli/client/io.ts';

export type Style = Parameters<typeof styleText>[0];

/** Colours a text. */
export type Paint = (style: Style, text: string) => string;

/** Colours for standard output; none if it is not a terminal, or if NO_COLOR is set. */
export function paintFor(io: CliIo): Paint {
  const on = io.stdout.isTTY && !io.env['NO_COLOR'] && io.env['TERM'] !== 'dumb';
  return on ? (style, text) => styleText(style, text, { validateStream: false }) : (_style, text) => text;
}
