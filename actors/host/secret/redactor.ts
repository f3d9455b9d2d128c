import { secretRanges, type TextRange } from '#world/secret-format.ts';
import type { KnownSecrets } from './known-secrets.ts';

/** The mask for each character of a secret, which keeps the layout of a screen. */
const mask = '*';
/** Escape sequences of a terminal: a program may change colours in the middle of a secret. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;
/** Line ends with the frame around them: a secret may continue in the next row of a box. */
const lineEnds = /[^\S\n]*[│┃║▏▕╎┆┊]*[^\S\n]*\n[^\S\n]*[│┃║▏▕╎┆┊]*[^\S\n]*/g;
/** Cache of masked short texts, such as the words of a reading: most panes repeat the same. */
const maxCached = 2_000;
const maxCachedLength = 512;
/** How much of a line without an end a stream holds back, in characters. */
const maxHeld = 64 * 1024;

/** A text without some of its parts, and the position of each of its characters in the original. */
interface Skeleton {
  readonly text: string;
  readonly at: (place: number) => number;
}

/** Masks secrets in text from panes and scripts that is recorded or reported. */
export class Redactor {
  readonly #known: Pick<KnownSecrets, 'texts'>;
  readonly #cache = new Map<string, string>();
  #texts: readonly string[] = [];
  #pattern: RegExp | undefined;

  constructor(known: Pick<KnownSecrets, 'texts'>) {
    this.#known = known;
  }

  /** A text with each character of a secret masked: its length and its line ends stay. */
  text(text: string): string {
    this.#follow();
    if (text.length > maxCachedLength) return this.#masked(text);
    const known = this.#cache.get(text);
    if (known !== undefined) return known;
    if (this.#cache.size >= maxCached) this.#cache.clear();
    const shown = this.#masked(text);
    this.#cache.set(text, shown);
    return shown;
  }

  /** Uses the currently known secrets. */
  #follow(): void {
    const { texts } = this.#known;
    if (texts === this.#texts) return;
    this.#texts = texts;
    this.#cache.clear();
    const escaped = texts.map((secret) => secret.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
    this.#pattern = texts.length === 0 ? undefined : new RegExp(escaped.join('|'), 'g');
  }

  #masked(text: string): string {
    const plain = text.includes('\u001b') ? without(text, escapes) : whole(text);
    const joined = plain.text.includes('\n') ? without(plain.text, lineEnds) : whole(plain.text);
    const again = joined.text === plain.text ? [] : this.#knownIn(joined.text);
    const ranges = [
      ...[...this.#knownIn(plain.text), ...secretRanges(plain.text)].map((range) => within(plain, range)),
      ...again.map((range) => within(plain, within(joined, range))),
    ];
    return ranges.length === 0 ? text : masked(text, ranges);
  }

  /** As `text`, for rows, in which a secret may continue from one to the next. */
  rows(rows: readonly string[]): readonly string[] {
    const whole = rows.join('\n');
    const text = this.text(whole);
    return text === whole ? rows : text.split('\n');
  }

  /** A writer that passes text on line by line, without secrets; `end` passes on the rest. */
  stream(write: (text: string) => void): { write(text: string): void; end(): void } {
    let held = '';
    const pass = (text: string): void => {
      if (text !== '') write(this.text(text));
    };
    return {
      write: (text) => {
        held += text;
        const end = Math.max(held.lastIndexOf('\n'), held.lastIndexOf('\r')) + 1;
        const isInKey = held.lastIndexOf('-----BEGIN') > held.lastIndexOf('-----END');
        const cut = held.length > maxHeld ? held.length : isInKey ? 0 : end;
        pass(held.slice(0, cut));
        held = held.slice(cut);
      },
      end: () => {
        pass(held);
        held = '';
      },
    };
  }

  #knownIn(text: string): TextRange[] {
    // Not `matchAll`, which compiles the pattern again.
    const pattern = this.#pattern;
    const ranges: TextRange[] = [];
    if (pattern === undefined) return ranges;
    pattern.lastIndex = 0;
    for (let found = pattern.exec(text); found !== null; found = pattern.exec(text))
      ranges.push([found.index, found.index + found[0].length]);
    return ranges;
  }
}

function whole(text: string): Skeleton {
  return { text, at: (place) => place };
}

function without(text: string, parts: RegExp): Skeleton {
  const left: { readonly from: number; readonly start: number }[] = [];
  let [kept, from] = ['', 0];
  for (const { 0: part, index } of text.matchAll(parts)) {
    left.push({ from, start: kept.length });
    kept += text.slice(from, index);
    from = index + part.length;
  }
  if (from === 0) return whole(text);
  left.push({ from, start: kept.length });
  kept += text.slice(from);
  const at = (place: number): number => {
    const piece = left.findLast(({ start }) => start <= place);
    return place + (piece?.from ?? 0) - (piece?.start ?? 0);
  };
  return { text: kept, at };
}

function within({ at }: Skeleton, [start, end]: TextRange): TextRange {
  return [at(start), at(end - 1) + 1];
}

/** Masks what can be seen in ranges: escape sequences, line ends and blanks stay. */
function masked(text: string, ranges: readonly TextRange[]): string {
  let result = text;
  for (const [start, end] of ranges) {
    const part = result.slice(start, end);
    const kept = [...part.matchAll(escapes)].map(({ 0: code, index }) => [index, index + code.length] as const);
    let shown = '';
    let from = 0;
    for (const [first, last] of [...kept, [part.length, part.length] as const]) {
      shown += part.slice(from, first).replace(/[^\s│┃║▏▕╎┆┊]/gu, (character) => mask.repeat(character.length));
      shown += part.slice(first, last);
      from = last;
    }
    result = result.slice(0, start) + shown + result.slice(end);
  }
  return result;
}
