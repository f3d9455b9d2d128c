import { exitCodeOf } from '#cli/client/exit-code.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Failure } from '#contract/failure.ts';
import { printableJson, printableLines } from '#contract/printable.ts';
import { inWords } from './words.ts';

/** How a failure is reported: as Connect's JSON, in the contract's own names, or in a person's words. */
export type FailureFormat = 'json' | 'wire' | 'words';

/** Reports a failure on standard error, and returns the exit code for it. */
export function reportFailure({ stderr }: CliIo, failure: Failure, format: FailureFormat): number {
  const { message } = failure;
  const text =
    format === 'json' ? printableJson(failure) : printableLines(format === 'wire' ? message : inWords(message));
  stderr.write(`${text}\n`);
  return exitCodeOf(failure.code);
}
