/**
 * A value as messages show it: as JSON, a text or the JSON of anything else cut to `most` characters, never inside one.
 */
export function quoted(value: unknown, max = 200): string {
  if (typeof value === 'string') return JSON.stringify(cut(value, max));
  return cut(JSON.stringify(value) ?? String(value), max);
}

function cut(text: string, max: number): string {
  // A character takes two units at most, so these hold one character more than may stay, or the whole text.
  const characters = [...text.slice(0, 2 * max + 2)];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}
