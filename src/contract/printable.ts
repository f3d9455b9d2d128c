/**
 * Characters that could steer a terminal or deceive a reader: controls, bidirectional overrides, invisible format
 * characters, lone surrogates, line separators. Emoji keep what joins and styles them.
 */
const unsafe =
  /(?<!\p{Extended_Pictographic}|\p{EMod}|\uFE0F)\u200D|(?<!\p{Emoji})(?:\uFE0E|\uFE0F)|(?!\u200D|\uFE0E|\uFE0F)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;

/** SGR sequences: all that a captured screen carries beside its text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are exactly what is looked for
const attribute = /(\u001b\[[0-9;:]*m)/;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text as one line that is safe to show: every unsafe character stands as its escape, such as `\u001b`. */
export function printable(text: string): string {
  return text.replace(unsafe, (character) => named[character] ?? escaped(character));
}

/** A text of several lines that is safe to show; line breaks and tabs stay. */
export function printableLines(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unsafe, keepLayout);
}

/** A captured screen with its attributes, and nothing else that could steer a terminal or deceive a reader. */
export function printableScreen(screen: string): string {
  return screen
    .split(attribute)
    .map((piece, place) => (place % 2 === 0 ? printableLines(piece) : piece))
    .join('');
}

/** A captured screen without its attributes, safe to show. */
export function printableScreenText(screen: string): string {
  return printableLines(
    screen
      .split(attribute)
      .filter((_, place) => place % 2 === 0)
      .join(''),
  );
}

/** A value as JSON that is safe to show, and that reads back as the same value. */
export function printableJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(unsafe, (character) =>
    character === '\n' ? character : escaped(character),
  );
}

function keepLayout(character: string): string {
  return character === '\n' || character === '\t' ? character : (named[character] ?? escaped(character));
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
