/** SGR sequences: everything in a captured screen besides its text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches escape sequences
export const attributes = /\u001b\[[0-9;:]*m/g;

/** The text of a captured screen, or of a row of it, without its attributes. */
export function withoutAttributes(captured: string): string {
  return captured.replace(attributes, '');
}
