/** One piece of a person's input: exactly one of these. */
export type Input = { readonly text: string } | { readonly key: string } | { readonly paste: string };

const sequences: Readonly<Record<string, string>> = {
  '\r': 'Enter',
  '\u001b': 'Escape',
  '\t': 'Tab',
  '\u001b[Z': 'BTab',
  '\u007f': 'BSpace',
  '\u001b[3~': 'Delete',
  '\u001b[5~': 'PageUp',
  '\u001b[6~': 'PageDown',
  '\u001b[A': 'Up',
  '\u001b[B': 'Down',
  '\u001b[C': 'Right',
  '\u001b[D': 'Left',
  '\u001b[H': 'Home',
  '\u001b[F': 'End',
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys arrive as control characters
const pieces = /\u001b(?:O|\[[0-9;?]*)[A-Za-z~]|[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]+/g;

/** Splits what a terminal sends into keys by name and text. Sequences that are not sent to panes are dropped. */
export function inputsOf(data: string): readonly Input[] {
  const inputs: Input[] = [];
  for (const [piece] of data.matchAll(pieces)) {
    const key = Object.hasOwn(sequences, piece) ? sequences[piece] : controlKey(piece);
    if (key !== undefined) inputs.push({ key });
    else if (piece.charCodeAt(0) > 31) inputs.push({ text: piece });
  }
  return inputs;
}

function controlKey(piece: string): string | undefined {
  const code = piece.charCodeAt(0);
  return piece.length === 1 && code >= 1 && code <= 26 ? `C-${String.fromCharCode(code + 96)}` : undefined;
}
