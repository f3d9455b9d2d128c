import { availableParallelism, loadavg } from 'node:os';
import { textTable } from '#cli/print/text-table.ts';

/** Writes a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes a table with its title and what its figures are. */
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

/** How busy the machine is, in words: on a busy machine only ratios of figures are meaningful. */
export function loadInWords(): string {
  const [oneMinute = 0, fiveMinutes = 0] = loadavg();
  return `load ${oneMinute.toFixed(1)} (1 min), ${fiveMinutes.toFixed(1)} (5 min) on ${availableParallelism()} cores`;
}
