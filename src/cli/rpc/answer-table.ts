import type { CliIo } from '#cli/client/io.ts';
import { details } from '#cli/print/details.ts';
import { textTable } from '#cli/print/text-table.ts';
import { printable } from '#contract/printable.ts';

type Row = Readonly<Record<string, unknown>>;
/** The minimum width of a column, and the width for which another column is added. */
const minColumnWidth = 8;
const widthPerColumn = 14;

/**
 * An answer for a person: a table of its rows, with as many fields as the terminal has room for, or its fields line by
 * line. A field inside a message has its own name, or its path if that is ambiguous.
 */
export function answerTable(io: CliIo, answer: unknown): string {
  const fields = Object.entries(typeof answer === 'object' && answer !== null ? answer : {});
  const lists = fields.filter(([, value]) => isListOfRows(value)) as [string, Row[]][];
  const rest = flat(Object.fromEntries(fields.filter(([, value]) => !isListOfRows(value))));
  const tables = lists.map(([, rows]) => rowsTable(io, rows.map(flat)));
  const page = Object.keys(rest).length > 0 ? [details(io, rest)] : [];
  return [...tables, ...page].join('\n') || 'nothing\n';
}

function isListOfRows(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && one !== null);
}

function rowsTable({ stdout }: CliIo, rows: readonly Readonly<Record<string, string>>[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const max = stdout.columns === undefined ? names.length : Math.max(1, Math.floor(stdout.columns / widthPerColumn));
  const shown = names.slice(0, max);
  const cells = rows.map((row) => shown.map((name) => ({ text: row[name] ?? '' })));
  return textTable(
    shown.map((name) => ({ title: name, least: minColumnWidth })),
    cells,
    stdout.columns,
  );
}

/** The fields of a row as texts, including those of its messages: `agent: {id}` becomes `id`, unless that exists. */
function flat(row: Row): Record<string, string> {
  const texts: Record<string, string> = {};
  const add = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [name, inner] of Object.entries(value)) add(inner, [...path, name]);
      return;
    }
    const name = path.at(-1) ?? '';
    texts[name in texts ? path.join('.') : name] = printable(
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    );
  };
  add(row, []);
  return texts;
}
