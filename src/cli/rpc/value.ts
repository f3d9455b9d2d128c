import type { TextSource } from '#cli/print/text-source.ts';
import { Failure } from '#contract/failure.ts';
import { nearest } from '#contract/parse/nearest.ts';
import type { Choice, Field } from './field.ts';

/** Fields whose maximum length is at least this may come from a file or standard input. Others are taken literally. */
const longText = 1_000;

/** Whether a field's text may come from a file or standard input. */
export function takesFile({ type, list, max = longText }: Field): boolean {
  return type.kind === 'string' && !list && max >= longText;
}

/** Converts a flag's text to a proto3 JSON value. @throws INVALID_ARGUMENT naming the flag and the text */
export async function fieldValue(field: Field, flag: string, text: string, source: TextSource): Promise<unknown> {
  const { type } = field;
  switch (type.kind) {
    case 'boolean':
      return parseBoolean(flag, text);
    case 'int32':
      return parseWholeNumber(flag, text);
    case 'enum':
      return parseChoice(flag, text, type.choices);
    case 'message':
      return parseObject(flag, await source.read(flag, text));
    default:
      return /^[-@]/.test(text) && takesFile(field) ? source.read(flag, text) : text;
  }
}

/** Parses a JSON object. @throws INVALID_ARGUMENT naming the flag */
export function parseObject(flag: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Failure('INVALID_USAGE', `${flag} is not JSON: ${said}`, { cause: error });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Failure('INVALID_USAGE', `${flag} must be a JSON object (given: ${text.slice(0, 80)})`);
}

function parseBoolean(flag: string, text: string): boolean {
  if (/^(true|yes|1)$/i.test(text)) return true;
  if (/^(false|no|0)$/i.test(text)) return false;
  throw new Failure('INVALID_USAGE', `${flag} must be true or false (given: ${text})`);
}

function parseWholeNumber(flag: string, text: string): number {
  if (/^[+-]?[0-9]+$/.test(text)) return Number(text);
  throw new Failure('INVALID_USAGE', `${flag} must be a whole number (given: ${text})`);
}

function parseChoice(flag: string, text: string, choices: readonly Choice[]): string {
  const same = (name: string): boolean => bare(name) === bare(text);
  const found = choices.find(({ value, short }) => same(value) || same(short));
  if (found !== undefined) return found.value;
  const shorts = choices.map(({ short }) => short);
  const near = nearest(text, shorts);
  throw new Failure(
    'INVALID_USAGE',
    `${flag} must be one of ${shorts.join(', ')} (given: ${text})${near ? `: did you mean ${near}?` : ''}`,
  );
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}
