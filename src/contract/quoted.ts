/**
 * A value as messages show it: as JSON, cut to `max` characters, never inside one.
 */
export function quoted(value: unknown, max = 200): string {
  if (typeof value === 'string') return JSON.stringify(cut(value, max));
  return cut(JSON.stringify(value) ?? String(value), max);
}

function cut(text: string, max: number): string {
  // A character has at most two units, so this has at least one more than `max` characters, or the whole text.
  const characters = [...text.slice(0, 2 * max + 2)];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}
