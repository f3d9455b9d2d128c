import { Option } from 'commander';
import { actsAsAgent } from '#cli/client/connection.ts';
import type { CliIo } from '#cli/client/io.ts';
import { printableJson } from '#contract/printable.ts';

/** The output format: for a person, as one JSON document, or as one JSON value per line. */
export type Format = 'table' | 'json' | 'jsonl';

/** The flags that `outputOption` adds. */
export interface OutputFlags {
  readonly output?: Format;
}

/** `-o, --output <format>`, with the formats that a command supports, and a description of its default. */
export function outputOption(
  formats: readonly Format[] = ['table', 'json', 'jsonl'],
  otherwise = formats.includes('table') ? 'a table, or JSON for an agent that reads it from a pipe' : '',
): Option {
  const without = otherwise === '' ? '' : `; without it, ${otherwise}`;
  return new Option('-o, --output <format>', `output format${without}`).choices(formats);
}

/**
 * The given format. By default a table for a person, also into a pipe or a file, but JSON for an agent that reads from
 * a pipe or a file.
 */
export function formatOf(io: CliIo, { output }: OutputFlags): Format {
  return output ?? (actsAsAgent(io) && !io.stdout.isTTY ? 'json' : 'table');
}

/** Writes one JSON document: indented on a terminal, on one line otherwise. */
export function writeJson(io: CliIo, value: unknown): void {
  io.stdout.write(`${printableJson(value, io.stdout.isTTY ? 2 : 0)}\n`);
}

/** Writes one JSON value on its own line. */
export function writeJsonLine(io: CliIo, value: unknown): void {
  io.stdout.write(`${printableJson(value)}\n`);
}

/** Writes a list. `table` makes the text for a person. */
export function writeList<Row>(io: CliIo, flags: OutputFlags, rows: readonly Row[], table: () => string): void {
  const format = formatOf(io, flags);
  if (format === 'table') io.stdout.write(table());
  else if (format === 'json') writeJson(io, rows);
  else for (const row of rows) writeJsonLine(io, row);
}

/** Writes one record. `text` makes the text for a person. */
export function writeRecord(io: CliIo, flags: OutputFlags, record: unknown, text: () => string): void {
  const format = formatOf(io, flags);
  if (format === 'table') io.stdout.write(text());
  else if (format === 'json') writeJson(io, record);
  else writeJsonLine(io, record);
}
