import { availableParallelism, loadavg } from 'node:os';
import { textTable } from '#cli/print/text-table.ts';

/** Prints a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a table with its title and a description of its figures. */
export function report(title: string, about: string, columns: readonly string[], rows: readonly (readonly string[])[]) {
  const cells = rows.map((row) => row.map((text) => ({ text })));
  say(`\n${title}\n${about}\n`);
  process.stdout.write(
    textTable(
      columns.map((column) => ({ title: column })),
      cells,
    ),
  );
}

/** The load of the machine, in words. On a busy machine only ratios are meaningful. */
export function loadInWords(): string {
  const [oneMinute = 0, fiveMinutes = 0] = loadavg();
  return `load ${oneMinute.toFixed(1)} (1 min), ${fiveMinutes.toFixed(1)} (5 min) on ${availableParallelism()} cores`;
}
