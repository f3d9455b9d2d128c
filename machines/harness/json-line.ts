/** The path of a value in a JSON text: property names and list indices, from the outside in. */
export type JsonPath = readonly (string | number)[];

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gu;

/**
 * The line, from one, where the value of a path begins in a valid JSON text; if there is no such value, where the
 * nearest value around it begins.
 */
export function lineOfPath(text: string, path: JsonPath): number {
  const starts = valueOffsets(text);
  for (let length = path.length; length >= 0; length -= 1) {
    const at = starts.get(JSON.stringify(path.slice(0, length)));
    if (at !== undefined) return lineAt(text, at);
  }
  return 1;
}

/** The line, from one, of an offset in a text. */
function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** The line, from one, of the first JSON syntax error; the last line if only the end is missing. */
export function brokenLine(text: string): number {
  const lines = text.trimEnd().split('\n');
  let whole = 0;
  let broken = lines.length;
  while (broken - whole > 1) {
    const middle = Math.floor((whole + broken) / 2);
    if (isBroken(`${lines.slice(0, middle).join('\n')}\n`)) broken = middle;
    else whole = middle;
  }
  return broken;
}

/** Whether a text cannot be completed to JSON. Then the engine's error names an offset before the text's end. */
function isBroken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const said = error instanceof Error ? error.message : '';
    return !said.startsWith('Unexpected end') && Number(/at position (\d+)/.exec(said)?.[1] ?? -1) !== text.length;
  }
}

interface Open {
  readonly path: (string | number)[];
  /** The index of the next value in a list, or the name of the last property. */
  key: string | number;
  readonly isList: boolean;
}

/** The offset of each value, by its path as JSON. */
function valueOffsets(text: string): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  const open: Open[] = [];
  let named: string | undefined;
  for (const found of text.matchAll(token)) {
    const [word] = found;
    const within = open.at(-1);
    if (word === '}' || word === ']') open.pop();
    else if (word === ',') {
      if (within?.isList) within.key = Number(within.key) + 1;
      named = undefined;
    } else if (word === ':') {
      if (within) within.key = JSON.parse(named ?? '""') as string;
    } else if (within && !within.isList && named === undefined) named = word;
    else {
      const path = within ? [...within.path, within.key] : [];
      starts.set(JSON.stringify(path), found.index);
      if (word === '{' || word === '[') {
        open.push({ path, key: 0, isList: word === '[' });
        named = undefined;
      }
    }
  }
  return starts;
}
