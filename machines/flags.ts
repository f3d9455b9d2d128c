const word = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gsu;
const piece = /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'|([^"'\\]+)/gsu;

/**
 * Splits flags into words as a shell would, with quotes and backslashes but without expanding anything. Undefined if
 * a quote is not closed.
 */
export function splitFlags(flags: string): string[] | undefined {
  const words = flags.match(word) ?? [];
  if (flags.replace(word, '').trim() !== '') return undefined;
  return words.map((quoted) =>
    [...quoted.matchAll(piece)]
      .map(([, escaped, double, single, plain]) => escaped ?? double?.replace(/\\([\s\S])/gu, '$1') ?? single ?? plain)
      .join(''),
  );
}
