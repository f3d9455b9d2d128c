/** A value as messages show it: as JSON, a text or the JSON of anything else cut to `most` characters, never inside one. */
export function quoted(value: unknown, most = 200): string {
  if (typeof value === 'string') return JSON.stringify(cut(value, most));
  return cut(JSON.stringify(value) ?? String(value), most);
}

function cut(text: string, most: number): string {
  // A character takes two units at most, so these hold one character more than may stay, or the whole text.
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
