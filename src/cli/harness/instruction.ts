import { Failure } from '#contract/failure.ts';
import { Key } from '#contract/key.ts';
import { ScreenLabel } from '#contract/pane/recorded-screen.ts';
import { nearest } from '#contract/parse/nearest.ts';

/** An instruction of a person or a script. */
export type Instruction =
  | { readonly kind: 'record'; readonly label: ScreenLabel }
  | { readonly kind: 'type'; readonly text: string }
  | { readonly kind: 'key'; readonly keys: readonly Key[] }
  | { readonly kind: 'wait'; readonly text: string }
  | { readonly kind: 'still' | 'open' | 'look' | 'skip' | 'undo' | 'help' | 'done' | 'quit' | 'none' };

/** The commands without arguments, and what each does. */
const plain = {
  open: 'shows the CLI here, so that you can drive it; Ctrl-b d comes back',
  look: 'prints what the CLI shows now',
  still: 'waits until the screen no longer changes',
  skip: 'continues with the next step',
  undo: 'removes the last recording',
  help: 'prints this',
  done: 'learns the rules from the recordings, and writes them',
  quit: 'stops for now; the screens are kept for --resume',
} as const;
const withText = {
  type: 'type TEXT: types a text into the CLI',
  key: 'key NAME...: presses keys, such as Enter, Escape, Up, C-c, y, 1',
  wait: 'wait TEXT: waits until the screen shows a text',
} as const;

/** Every command and what it does. */
export const words: readonly (readonly [word: string, about: string])[] = [
  ...Object.entries(plain),
  ...Object.entries(withText),
];

/** Parses a line. @throws INVALID_ARGUMENT when it is not an instruction */
export function readInstruction(line: string): Instruction {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return { kind: 'none' };
  const [word = '', rest = ''] = splitWord(text);
  const label = ScreenLabel.safeParse(word);
  if (label.success && rest === '') return { kind: 'record', label: label.data };
  if (rest === '' && isPlain(word)) return { kind: word };
  if (word === 'type' || word === 'wait') {
    if (rest === '') throw new Failure('INVALID_USAGE', `${word} needs a text, as in: ${word} hello`);
    return { kind: word, text: rest };
  }
  if (word === 'key') return { kind: 'key', keys: keysOf(rest) };
  const all = [...ScreenLabel.options, ...Object.keys(plain), ...Object.keys(withText)];
  const near = nearest(word, all);
  const known = all.includes(word)
    ? `${word} takes no argument`
    : `${JSON.stringify(word)} is neither a state nor a command`;
  throw new Failure(
    'INVALID_USAGE',
    `${known}${near === undefined || near === word ? '' : `: did you mean ${near}?`}; help lists them`,
  );
}

function splitWord(text: string): string[] {
  const end = text.search(/\s/);
  return end < 0 ? [text] : [text.slice(0, end), text.slice(end + 1).trim()];
}

function isPlain(word: string): word is keyof typeof plain {
  return Object.hasOwn(plain, word);
}

function keysOf(text: string): Key[] {
  const names = text.split(/\s+/).filter((name) => name !== '');
  if (names.length === 0) throw new Failure('INVALID_USAGE', 'key needs the name of a key, as in: key Enter');
  return names.map((name) => {
    const key = Key.safeParse(name);
    if (key.success) return key.data;
    const near = nearest(name, Key.options);
    throw new Failure(
      'INVALID_USAGE',
      `${JSON.stringify(name)} is not a key${near === undefined ? '' : `: did you mean ${near}?`}`,
    );
  });
}
