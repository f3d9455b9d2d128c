import { InvalidArgumentError } from 'commander';

/** Parses a flag's value as a whole number, at least 1. */
export function atLeastOne(text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, at least 1.');
}
