import { z } from 'zod';

/** What a terminal wrote, and when, in seconds since the beginning. */
export interface Output {
  readonly at: number;
  readonly text: string;
}

/** A recorded terminal, as a file in asciinema's format, version 2, keeps it. */
export interface Cast {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly outputs: readonly Output[];
}

const Header = z.strictObject({
  version: z.literal(2),
  width: z.int().positive(),
  height: z.int().positive(),
  title: z.string(),
  env: z.strictObject({ TERM: z.string() }),
});
const Event = z.tuple([z.number().nonnegative(), z.literal('o'), z.string()]);

/** The file of a recording. */
export function castText({ width, height, title, outputs }: Cast): string {
  const header = { version: 2, width, height, title, env: { TERM: 'xterm-256color' } };
  const events = outputs.map(({ at, text }) => [Number(at.toFixed(3)), 'o', text]);
  return [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/**
 * The recording in a file.
 * @throws ZodError or SyntaxError when a line does not have the format, or is not output
 */
export function readCast(file: string): Cast {
  const [first = '', ...rest] = file.trimEnd().split('\n');
  const { width, height, title } = Header.parse(JSON.parse(first));
  const outputs = rest.map((line) => {
    const [at, , text] = Event.parse(JSON.parse(line));
    return { at, text };
  });
  return { width, height, title, outputs };
}
