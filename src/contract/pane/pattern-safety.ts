/** The maximum length of a rule's regular expression, in characters. */
const longest = 1_000;
/** How often a part that contains an unbounded repetition may be repeated. */
const maxRepeats = 9;

/**
 * Why a regular expression may not be used in a rule; undefined if it may. Refuses invalid expressions, and those that
 * repeat, more than `maxRepeats` times, a part with an unbounded repetition: on some rows these backtrack practically
 * forever.
 */
export function patternFault(source: string): string | undefined {
  if (source.length > longest) return `is ${source.length} characters long and at most ${longest} are allowed`;
  try {
    new RegExp(source, 'du');
  } catch (error) {
    return `is not a valid regular expression (${error instanceof Error ? error.message : String(error)})`;
  }
  return repeatsRepetition(source)
    ? 'repeats a part that contains an unbounded repetition: bound one of the two, as in (?:a+){0,9}'
    : undefined;
}

/** A token of an expression: an atom, the start or end of a group, or a quantifier. */
const token =
  /\\[pPu]\{[^}]*\}|\\k<[^>]*>|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<[=!]|[:=!]|<[^>]*>))?|\)|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu;

/** Whether a valid expression repeats a group with an unbounded repetition too often. */
function repeatsRepetition(source: string): boolean {
  const open: boolean[] = [];
  let endless = false;
  let before = false;
  for (const [text] of source.matchAll(token)) {
    if (text.startsWith('(')) {
      open.push(endless);
      endless = false;
      before = false;
    } else if (text === ')') {
      before = endless;
      endless = (open.pop() ?? false) || before;
    } else {
      const max = maxOf(text);
      if (max !== undefined && before && max > maxRepeats) return true;
      if (max === Number.POSITIVE_INFINITY) endless = true;
      before = false;
    }
  }
  return false;
}

/** The maximum of a quantifier; undefined if the text is not one. */
function maxOf(text: string): number | undefined {
  if (text.startsWith('*') || text.startsWith('+')) return Number.POSITIVE_INFINITY;
  if (text.startsWith('?')) return 1;
  const counts = /^\{(\d+)(,?)(\d*)\}/.exec(text);
  if (counts === null) return undefined;
  if (counts[2] === '') return Number(counts[1]);
  return counts[3] === '' ? Number.POSITIVE_INFINITY : Number(counts[3]);
}
