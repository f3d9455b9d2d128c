import { existsSync } from 'node:fs';
import { printableLines } from '#contract/printable.ts';
import { type UnhandledEvent, unhandledErrors } from '#world/unhandled-errors.ts';
import { readConfig } from './config.ts';
import { stateFolderAt } from './state-folder.ts';

/** Tells on standard error of an error that nobody handled in a command, and notes it where muster keeps its logs, if it keeps any. */
export function noteInCommand(error: unknown, event: UnhandledEvent): void {
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`muster failed, which is a fault of its own: ${printableLines(told)}\n`);
  try {
    const { logs } = stateFolderAt(readConfig(process.env).home);
    if (!existsSync(logs)) return;
    unhandledErrors.keep(undefined, logs, 'command');
    unhandledErrors.note(error, event);
  } catch {
    // A folder that cannot be written, or a setting that is refused: it was told all the same.
  }
}
