import { Failure } from '#contract/failure.ts';
import { maxValues, tooManyValues } from './message-limits.ts';

/** How deeply objects and lists may be nested. */
const maxDepth = 64;
/** Names that would access the prototype in JavaScript. No field has such a name. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** A part of the text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A number or a keyword. */
const bare = /[^\s,:{}[\]"]+/y;
const wholeNumber = /^-?[0-9]+$/;

/**
 * Scans the text of a JSON value once without parsing it. It counts names and values, and records the positions of
 * names and numbers that JSON.parse would not preserve. Invalid JSON is scanned to its end too.
 */
export class JsonScan {
  readonly #text: string;
  /** The names of each object. */
  readonly #objects: Span[][] = [];
  /** The numbers that JavaScript would not print as they are written. */
  readonly #inexact: Span[] = [];
  /** The open objects and lists. A list has no names. */
  readonly #open: (Span[] | undefined)[] = [];
  #expectsName = false;
  #count = 0;

  /** @throws INVALID_ARGUMENT when there are more than 50,000 names and values, or more than 64 levels */
  constructor(text: string) {
    this.#text = text;
    for (let at = 0; at < text.length; at += 1) at = this.#take(at);
  }

  get hasInexactNumbers(): boolean {
    return this.#inexact.length > 0;
  }

  /**
   * Checks the names of a valid JSON text.
   * @throws INVALID_ARGUMENT when an object has a name twice, or one that no field may have
   */
  checkNames(): void {
    for (const names of this.#objects) {
      const seen = new Set<string>();
      for (const { start, end } of names) checkName(this.#text.slice(start, end), seen);
    }
  }

  /** The valid JSON text with its inexact numbers as strings. */
  withExactNumbers(): string {
    const pieces: string[] = [];
    let done = 0;
    for (const { start, end } of this.#inexact) {
      pieces.push(this.#text.slice(done, start), '"', this.#text.slice(start, end), '"');
      done = end;
    }
    return pieces.join('') + this.#text.slice(done);
  }

  /** Scans the token at a position, and returns the position of its last character. */
  #take(at: number): number {
    switch (this.#text[at]) {
      case ' ':
      case '\n':
      case '\r':
      case '\t':
      case ':':
        return at;
      case ',':
        this.#expectsName = this.#open.at(-1) !== undefined;
        return at;
      case '{':
      case '[':
        this.#enter(this.#text[at] === '{' ? [] : undefined);
        return at;
      case '}':
      case ']':
        this.#open.pop();
        this.#expectsName = false;
        return at;
      case '"':
        return this.#takeString(at);
      default:
        return this.#takeBare(at);
    }
  }

  #enter(names: Span[] | undefined): void {
    this.#countOne();
    this.#open.push(names);
    if (this.#open.length > maxDepth)
      throw new Failure('REQUEST_TOO_COMPLEX', `The body nests deeper than ${maxDepth} levels`);
    if (names !== undefined) this.#objects.push(names);
    this.#expectsName = names !== undefined;
  }

  #takeString(start: number): number {
    this.#countOne();
    const last = endOfString(this.#text, start);
    if (this.#expectsName) this.#open.at(-1)?.push({ start, end: last + 1 });
    this.#expectsName = false;
    return last;
  }

  #takeBare(start: number): number {
    this.#countOne();
    bare.lastIndex = start;
    const [word = ' '] = bare.exec(this.#text) ?? [];
    if (isInexact(word)) this.#inexact.push({ start, end: start + word.length });
    return start + word.length - 1;
  }

  #countOne(): void {
    this.#count += 1;
    if (this.#count > maxValues) throw tooManyValues();
  }
}

/** Whether JavaScript would read a number inexactly, or print it differently. */
function isInexact(word: string): boolean {
  if (!/^[-0-9]/.test(word)) return false;
  return /e/i.test(word) || (wholeNumber.test(word) && Math.abs(Number(word)) > Number.MAX_SAFE_INTEGER);
}

/** The position of the quote that ends a string, or of the last character of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x22) return at;
  }
  return text.length - 1;
}

function checkName(quoted: string, seen: Set<string>): void {
  const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
  if (forbidden.has(name)) throw new Failure('UNKNOWN_FIELD', `No field is called ${quoted}: leave it out`);
  if (seen.has(name)) throw new Failure('DUPLICATE_FIELD', `The field ${quoted} is given twice: give it once`);
  seen.add(name);
}
