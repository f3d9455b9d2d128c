/** A text as a regular expression that matches it, with any number where it has one, and any run of blanks. */
export function literal(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => (sign === '-' || sign === '/' ? sign : `\\${sign}`))
    .replace(/\d+/g, '\\d+')
    .replace(/ +/g, ' +');
}

/** Characters as a class of an expression. */
export function classOf(characters: Iterable<string>): string {
  const all = [...new Set(characters)].map((one) => one.replace(/[\\\]^[-]/g, '\\$&'));
  return `[${all.join('')}]`;
}

/** How far apart signs of one kind may be in their alphabet, and how much of it beside them is taken for the same kind. */
const kin = { apart: 16, beside: 3 } as const;

/** Signs that turn as a class, with those beside them in the alphabet: not every one was seen. */
export function turningClass(signs: ReadonlySet<string>): string {
  const codes = [...signs].map((sign) => sign.codePointAt(0) ?? 0).toSorted((a, b) => a - b);
  const [min = 0, max = 0] = [codes[0], codes.at(-1)];
  if (signs.size < 2 || max - min > kin.apart || min < 0x2190) return classOf(signs);
  const code = (point: number): string => `\\u${point.toString(16).padStart(4, '0')}`;
  return max > 0xfff0 ? classOf(signs) : `[${code(min - kin.beside)}-${code(max + kin.beside)}]`;
}
