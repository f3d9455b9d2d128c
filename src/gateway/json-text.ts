import type { JsonValue } from '@bufbuild/protobuf';
import { Failure } from '#contract/failure.ts';

/** How deep objects and lists may stand in each other. */
const mostDepth = 64;
/** Names that reach behind an object in JavaScript. No field is called so. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Reads JSON as strictly as it is meant. Numbers that are not what they seem come as they are written, as strings: whole
 * ones beyond 2^53, and those with an exponent, which name no thing that is counted.
 * @throws Failure `invalid_argument` where it is no JSON, names a field twice, nests deeper than 64, or has a name that
 * no field may have.
 */
export function parseJson(text: string): JsonValue {
  if (text.trim() === '')
    throw new Failure('invalid_argument', 'The body is empty: send {} for a request without fields');
  let value: JsonValue;
  try {
    value = JSON.parse(text, exactly) as JsonValue;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure('invalid_argument', `The body is not JSON: ${why}`, { cause: error });
  }
  checkNames(text);
  return value;
}

/** A whole number that JavaScript would round is given by its digits, and one with an exponent as it stands. */
function exactly(_name: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  if (typeof value !== 'number') return value;
  const rounded = Math.abs(value) > Number.MAX_SAFE_INTEGER && /^-?[0-9]+$/.test(source);
  return rounded || /e/i.test(source) ? source : value;
}

/** Walks a text that is JSON: an object's names, and how deep it goes. */
function checkNames(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let expectsName = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (expectsName) checkName(text.slice(at, end + 1), open.at(-1));
      expectsName = false;
      at = end;
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : undefined);
      if (open.length > mostDepth)
        throw new Failure('invalid_argument', `The body nests deeper than ${mostDepth} levels`);
      expectsName = character === '{';
    } else if (character === '}' || character === ']') {
      open.pop();
      expectsName = false;
    } else if (character === ',') {
      expectsName = open.at(-1) !== undefined;
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function checkName(quoted: string, seen: Set<string> | undefined): void {
  const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
  if (forbidden.has(name)) throw new Failure('invalid_argument', `No field is called ${quoted}: leave it out`);
  if (seen?.has(name)) throw new Failure('invalid_argument', `The field ${quoted} is given twice: give it once`);
  seen?.add(name);
}
