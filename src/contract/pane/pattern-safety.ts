/** The longest regular expression that a rule may hold, in characters. */
const longest = 1_000;
/** How often a part that itself repeats without end may be repeated. */
const maxRepeats = 9;

/**
 * Why a regular expression may not be used in a rule; undefined if it may. Besides what is not an expression at all,
 * one is refused that repeats, without end or more than nine times, a part which itself repeats without end: on an
 * unlucky row such an expression takes longer than anybody can wait.
 */
export function patternFault(source: string): string | undefined {
  if (source.length > longest) return `is ${source.length} characters long, of at most ${longest}`;
  try {
    new RegExp(source, 'du');
  } catch (error) {
    return `is no regular expression (${error instanceof Error ? error.message : String(error)})`;
  }
  return repeatsRepetition(source)
    ? 'repeats a part that itself repeats without end: bound one of the two, as in (?:a+){0,9}'
    : undefined;
}

/** What is read of an expression: a piece that may be repeated, how a group opens or closes, or how often. */
const token =
  /\\[pPu]\{[^}]*\}|\\k<[^>]*>|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<[=!]|[:=!]|<[^>]*>))?|\)|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu;

/** Whether a group that holds an endless repetition is itself repeated often. The expression is a valid one. */
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

/** How often a quantifier lets a part come at most; undefined if the text is none. */
function maxOf(text: string): number | undefined {
  if (text.startsWith('*') || text.startsWith('+')) return Number.POSITIVE_INFINITY;
  if (text.startsWith('?')) return 1;
  const counts = /^\{(\d+)(,?)(\d*)\}/.exec(text);
  if (counts === null) return undefined;
  if (counts[2] === '') return Number(counts[1]);
  return counts[3] === '' ? Number.POSITIVE_INFINITY : Number(counts[3]);
}
