/** The attributes that make a blank cell visible. */
const paint = { ground: 1, reverse: 2, underline: 4, strike: 8 } as const;
const switches: Readonly<Record<string, (painted: number) => number>> = {
  '': () => 0,
  '0': () => 0,
  '4': (painted) => painted | paint.underline,
  '4:0': (painted) => painted & ~paint.underline,
  '7': (painted) => painted | paint.reverse,
  '9': (painted) => painted | paint.strike,
  '24': (painted) => painted & ~paint.underline,
  '27': (painted) => painted & ~paint.reverse,
  '29': (painted) => painted & ~paint.strike,
  '49': (painted) => painted & ~paint.ground,
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are exactly what is looked for
const attribute = /\u001b\[([0-9;:]*)m/g;

/**
 * The rows of a screen without invisible blanks at their ends, and without blank rows at the bottom. Blanks with a
 * background colour, in reverse or with a line through or below them stay. A style continues from one row into the
 * next.
 */
export function withoutPlainBlanks(rows: readonly string[]): string[] {
  let painted = 0;
  const kept = rows.map((row) => {
    for (const [, parameters = ''] of row.matchAll(attribute)) painted = paintedAfter(painted, parameters);
    return painted === 0 ? row.replace(/ +$/, '') : row;
  });
  return kept.slice(0, kept.findLastIndex((row) => row !== '') + 1);
}

function paintedAfter(before: number, parameters: string): number {
  const codes = parameters.split(';');
  let painted = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? '';
    const [kind = ''] = code.split(':');
    if (kind === '48' || /^(?:4|10)[0-7]$/.test(kind)) painted |= paint.ground;
    else if (code.startsWith('4:') && code !== '4:0') painted |= paint.underline;
    else painted = switches[code]?.(painted) ?? painted;
    // The numbers of the colour that follows are not such codes.
    if (code === '38' || code === '48' || code === '58') at += codes[at + 1] === '5' ? 2 : 4;
  }
  return painted;
}
