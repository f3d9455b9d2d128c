/** A regular expression that matches a text, with any numbers in place of its numbers, and any run of blanks. */
export function literal(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => (sign === '-' || sign === '/' ? sign : `\\${sign}`))
    .replace(/\d+/g, '\\d+')
    .replace(/ +/g, ' +');
}

/** A character class of characters. */
export function classOf(characters: Iterable<string>): string {
  const all = [...new Set(characters)].map((one) => one.replace(/[\\\]^[-]/g, '\\$&'));
  return `[${all.join('')}]`;
}

/** How far apart spinner characters may be in Unicode, and how many neighbours on each side are included. */
const neighbours = { maxSpan: 16, margin: 3 } as const;

/** A character class of a spinner's characters, with their neighbours in Unicode, because not all were recorded. */
export function spinnerClass(signs: ReadonlySet<string>): string {
  const codes = [...signs].map((sign) => sign.codePointAt(0) ?? 0).toSorted((a, b) => a - b);
  const [min = 0, max = 0] = [codes[0], codes.at(-1)];
  if (signs.size < 2 || max - min > neighbours.maxSpan || min < 0x2190) return classOf(signs);
  const code = (point: number): string => `\\u${point.toString(16).padStart(4, '0')}`;
  return max > 0xfff0 ? classOf(signs) : `[${code(min - neighbours.margin)}-${code(max + neighbours.margin)}]`;
}
