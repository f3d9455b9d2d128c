import { Failure } from '#contract/failure.ts';
import { Key } from '#contract/key.ts';
import { labelMeanings, ScreenLabel } from '#contract/pane/recorded-screen.ts';
import { nearest } from '#contract/parse/nearest.ts';

/** An instruction of a person or a script. */
export type Instruction =
  | { readonly kind: 'record'; readonly label: ScreenLabel }
  | { readonly kind: 'type'; readonly text: string }
  | { readonly kind: 'key'; readonly keys: readonly Key[] }
  | { readonly kind: 'wait'; readonly text: string }
  | { readonly kind: 'undo'; readonly label: ScreenLabel | undefined }
  | { readonly kind: 'still' | 'open' | 'look' | 'skip' | 'help' | 'done' | 'quit' | 'none' };

/** The commands without arguments, and what each does. */
const plain = {
  open: 'shows the CLI here, so that you can drive it; Ctrl-b d comes back',
  look: 'prints what the CLI shows now',
  still: 'waits until the screen no longer changes',
  skip: 'continues with the next step',
  help: 'prints this',
  done: 'learns the rules from the recordings, and writes them',
  quit: 'stops for now; the screens are kept for --resume',
} as const;
const withText = {
  type: 'type TEXT: types a text into the CLI',
  key: 'key NAME...: presses keys, such as Enter, Escape, Up, C-c, y, 1',
  wait: 'wait TEXT: waits until the screen shows a text',
  undo: 'removes the last recording; undo STATE: the last one of a state, also of an earlier session',
} as const;

/** The word that records a label: `help` lists the words. */
const wordOf = (label: ScreenLabel): string => (label === 'help' ? 'help-page' : label);
const labels: ReadonlyMap<string, ScreenLabel> = new Map(ScreenLabel.options.map((label) => [wordOf(label), label]));

/** Every label's word and what it records. */
export const labelWords: readonly (readonly [word: string, about: string])[] = ScreenLabel.options.map((label) => [
  wordOf(label),
  labelMeanings[label].about,
]);

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
  const label = labels.get(word);
  if (label !== undefined && rest === '') return { kind: 'record', label };
  if (word === 'undo' && (rest === '' || labels.has(rest))) return { kind: 'undo', label: labels.get(rest) };
  if (rest === '' && isPlain(word)) return { kind: word };
  if (word === 'type' || word === 'wait') {
    if (rest === '') throw new Failure('INVALID_USAGE', `${word} needs a text, as in: ${word} hello`);
    return { kind: word, text: rest };
  }
  if (word === 'key') return { kind: 'key', keys: keysOf(rest) };
  const all = [...labels.keys(), ...Object.keys(plain), ...Object.keys(withText)];
  const near = nearest(word, all);
  const known = all.includes(word)
    ? `${word} takes ${word === 'undo' ? 'a state or nothing' : 'no argument'}`
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
