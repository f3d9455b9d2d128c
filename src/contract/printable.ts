import { attributes, withoutAttributes } from './pane/attributes.ts';
import { isPlainText } from './pane/plain-text.ts';

/**
 * Within such a piece: standard emoji sequences, pictographs with a text selector, and any other unsafe character. ©, ®
 * and ™ are excluded, because with a selector they look the same as without.
 */
const withinEmoji = String.raw`(?<whole>(?![\xA9\xAE\u2122]\uFE0F)\p{RGI_Emoji}|(?![\xA9\xAE\u2122])\p{Extended_Pictographic}\uFE0E)|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u{16FE4}\u{1D159}]`;
/** Compiled for the first such piece: that takes as long as the start of Node. */
let withinEmojiPattern: RegExp | undefined;

/** No emoji is longer, in UTF-16 units. A longer piece is not searched for one, because that would be slow. */
const longestEmoji = 48;

const attribute = new RegExp(`(${attributes.source})`);

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text as one line that is safe to show: each unsafe character becomes its escape, such as `\u001b`. */
export function printable(text: string): string {
  return escapedIn(text, (character) => named[character] ?? escaped(character));
}

/** A text of several lines that is safe to show; line breaks and tabs stay. */
export function printableLines(text: string): string {
  return laidOut(text.replaceAll('\r\n', '\n'), keepLayout);
}

/** A captured screen that is safe to show; its colours and other attributes stay. */
export function printableScreen(screen: string): string {
  return screen
    .split(attribute)
    .map((piece, place) => (place % 2 === 0 ? printableLines(piece) : piece))
    .join('');
}

/** A captured screen without its attributes, safe to show. */
export function printableScreenText(screen: string): string {
  return printableLines(withoutAttributes(screen));
}

/** A value as JSON that is safe to show and parses to the same value. */
export function printableJson(value: unknown, indent = 0): string {
  return laidOut(JSON.stringify(value, null, indent), (character) =>
    character === '\n' ? character : escaped(character),
  );
}

/** As `escapedIn`, for a text whose line breaks and tabs stay. */
function laidOut(text: string, standIn: (character: string) => string): string {
  return isPlainText(text.replace(/[\n\t]/g, '')) ? text : escapedIn(text, standIn);
}

/** The text with each unsafe character replaced. */
function escapedIn(text: string, standIn: (character: string) => string): string {
  if (isPlainText(text)) return text;
  return text.replace(suspicious(), (piece) => {
    if (!/^\p{Emoji}/u.test(piece)) return standIn(piece);
    if (piece.length > longestEmoji) return piece.replace(invisible(), standIn);
    withinEmojiPattern ??= new RegExp(withinEmoji, 'gv');
    return piece.replace(withinEmojiPattern, (found, whole?: string) => (whole === undefined ? standIn(found) : found));
  });
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

/**
 * Characters that could steer a terminal or deceive a reader: controls, bidirectional overrides, invisible format
 * characters, `Default_Ignorable_Code_Point`, two more that fonts draw blank (the filler of the Khitan script, the null
 * notehead), lone surrogates, line separators. Also matches an emoji with its joiners and modifiers as one piece, which
 * `withinEmoji` then examines.
 */
function suspicious(): RegExp {
  // Not made while this module loads: each class of Unicode takes as long as a request.
  return /\p{Emoji}(?:[\u200D\uFE0E\uFE0F\u20E3\p{EMod}\u{E0020}-\u{E007F}]|(?<=\u200D)\p{Emoji})+|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u{16FE4}\u{1D159}]/gu;
}

/** The unsafe characters alone, without regard to emoji. */
function invisible(): RegExp {
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u{16FE4}\u{1D159}]/gu;
}
