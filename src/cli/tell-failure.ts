import type { Failure } from '#contract/failure.ts';
import { printableJson, printableLines } from '#contract/printable.ts';
import { exitCodeOf } from './exit-code.ts';
import type { CliIo } from './io.ts';
import { inWords } from './words.ts';

/** How a failure is told: as Connect's JSON, in the contract's own names, or in a person's words. */
export type Telling = 'json' | 'wire' | 'words';

/** Tells a failure on standard error, and gives what the process exits with for it. */
export function tellFailure({ stderr }: CliIo, failure: Failure, telling: Telling): number {
  const { message } = failure;
  const text =
    telling === 'json' ? printableJson(failure) : printableLines(telling === 'wire' ? message : inWords(message));
  stderr.write(`${text}\n`);
  return exitCodeOf(failure.code);
}
