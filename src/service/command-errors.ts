import { existsSync } from 'node:fs';
import { printableLines } from '#contract/printable.ts';
import { type UnhandledEvent, unhandledErrors } from '#world/unhandled-errors.ts';
import { readConfig } from './config.ts';
import { stateFolderAt } from './state-folder.ts';

/** Prints an unhandled error of a command on standard error, and logs it if muster keeps logs. */
export function noteInCommand(error: unknown, event: UnhandledEvent): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`muster failed because of a bug of its own: ${printableLines(text)}\n`);
  try {
    const { logs } = stateFolderAt(readConfig(process.env).home);
    if (!existsSync(logs)) return;
    unhandledErrors.keep(undefined, logs, 'command');
    unhandledErrors.note(error, event);
  } catch {
    // The folder is not writable, or a setting is invalid. The error has been printed anyway.
  }
}
