import { type Input, inputsOf } from '#contract/pane/typed-input.ts';

/** An action of a person at an attached window: input for its pane, or a command after the prefix Ctrl-b. */
export type AttachAction = { readonly inputs: readonly Input[] } | { readonly command: string };

const prefix = '\u0002';
// biome-ignore lint/suspicious/noControlCharactersInRegex: the prefix is one
const pieces = /\u0002|[^\u0002]+/g;
const [pasteStart, pasteEnd] = ['\u001b[200~', '\u001b[201~'];
/** The longest text that is pasted in one piece, in characters. */
const maxPaste = 50_000;
/** The longest text that is typed in one piece, in characters. */
const maxText = 1_000;

/** Makes a terminal mark what is pasted, or not. */
export const [markPastes, markNoPastes] = ['\u001b[?2004h', '\u001b[?2004l'];

/**
 * Splits what a terminal sends into input and commands. The prefix twice is Ctrl-b for the pane. What the terminal
 * marks as pasted is input as a whole, whatever it contains.
 */
export class KeyReader {
  #isAfterPrefix = false;
  /** The text pasted so far, during a paste. */
  #paste: string | undefined;
  /** The beginning of a mark that has not arrived whole. */
  #rest = '';

  read(data: string): readonly AttachAction[] {
    const acts: AttachAction[] = [];
    for (let left = this.#rest + data; left !== ''; ) {
      this.#rest = '';
      const mark = this.#paste === undefined ? pasteStart : pasteEnd;
      const at = left.indexOf(mark);
      if (at < 0) {
        this.#rest = beginningOf(mark, left);
        this.#take(left.slice(0, left.length - this.#rest.length), acts);
        break;
      }
      this.#take(left.slice(0, at), acts);
      if (this.#paste !== undefined) acts.push(...pasted(this.#paste));
      this.#paste = this.#paste === undefined ? '' : undefined;
      left = left.slice(at + mark.length);
    }
    return acts;
  }

  #take(text: string, acts: AttachAction[]): void {
    if (this.#paste !== undefined) {
      this.#paste += text;
      return;
    }
    for (const [piece] of text.matchAll(pieces)) {
      if (piece === prefix) this.#isAfterPrefix = !this.#isAfterPrefix;
      const [command = ''] = this.#isAfterPrefix && piece !== prefix ? piece : [];
      if (command !== '') acts.push({ command });
      const isTyped = piece !== prefix || !this.#isAfterPrefix;
      const inputs = isTyped ? inputsOf(piece.slice(command.length)).flatMap(inPieces) : [];
      if (inputs.length > 0) acts.push({ inputs });
      if (piece !== prefix) this.#isAfterPrefix = false;
    }
  }
}

/** The end of a text that is the beginning of a mark. A lone escape is a key. */
function beginningOf(mark: string, text: string): string {
  for (let length = mark.length - 1; length > 1; length -= 1) {
    if (text.endsWith(mark.slice(0, length))) return mark.slice(0, length);
  }
  return '';
}

function pasted(text: string): readonly AttachAction[] {
  const pieces = piecesOf(text.replaceAll(/\r\n?/g, '\n'), maxPaste).map((paste) => ({ paste }));
  return pieces.length === 0 ? [] : [{ inputs: pieces }];
}

function inPieces(input: Input): readonly Input[] {
  return 'text' in input ? piecesOf(input.text, maxText).map((text) => ({ text })) : [input];
}

/** Splits a text into pieces of limited length, never within a character. */
function piecesOf(text: string, most: number): readonly string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / most) }, (_, at) =>
    characters.slice(at * most, (at + 1) * most).join(''),
  );
}
