import { exitCodeOf } from '#cli/client/exit-code.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Failure } from '#contract/failure.ts';
import { printableJson, printableLines } from '#contract/printable.ts';
import { inWords } from './words.ts';

/** The format of a failure: Connect's JSON, a text with the contract's names, or a text with those of commands. */
export type FailureFormat = 'json' | 'wire' | 'words';

/** Reports a failure on standard error, and returns its exit code. */
export function reportFailure({ stderr }: CliIo, failure: Failure, format: FailureFormat): number {
  const { message } = failure;
  const text =
    format === 'json' ? printableJson(failure) : printableLines(format === 'wire' ? message : inWords(message));
  stderr.write(`${text}\n`);
  return exitCodeOf(failure.code);
}
