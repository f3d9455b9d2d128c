import { InvalidArgumentError } from 'commander';
import { intervalMs, intervalRule } from '#contract/parse/interval.ts';

/** Parses a flag's value as a whole number from 0. */
export function atLeastZero(text: string): number {
  if (/^(?:0|[1-9][0-9]{0,8})$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 0 to 999999999.');
}

/** Parses a flag's value as a whole number, at least 1. */
export function atLeastOne(text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999999.');
}

/** Parses a flag's value as time at work, such as `90m` or `8h`, in minutes. */
export function workMinutes(text: string): number {
  const ms = intervalMs(text);
  if (ms === undefined) throw new InvalidArgumentError(`It must be ${intervalRule}, and at least 1m.`);
  return ms / 60_000;
}
