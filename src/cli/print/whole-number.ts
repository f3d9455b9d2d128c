import { InvalidArgumentError } from 'commander';
import { Failure } from '#contract/failure.ts';
import { intervalMs, intervalRule } from '#contract/parse/interval.ts';
import { quoted } from '#contract/quoted.ts';

/** Parses a flag's value as a whole number, at least 1. */
export function atLeastOne(text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, at least 1.');
}

/** Time at work, such as `90m` or `8h`, in minutes. @throws INVALID_ARGUMENT when the text is none */
export function workMinutes(text: string): number {
  const ms = intervalMs(text);
  if (ms === undefined) throw new Failure('INVALID_USAGE', `the time at work ${quoted(text)} is not ${intervalRule}`);
  return ms / 60_000;
}
