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
