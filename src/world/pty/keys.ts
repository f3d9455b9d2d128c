import type { Key } from '#contract/key.ts';

const named: Readonly<Partial<Record<Key, string>>> = {
  Enter: '\r',
  Escape: '\u001b',
  Tab: '\t',
  BTab: '\u001b[Z',
  Space: ' ',
  BSpace: '\u007f',
  Delete: '\u001b[3~',
  PageUp: '\u001b[5~',
  PageDown: '\u001b[6~',
};
/** The keys whose sequence depends on the program's mode. */
const arrows: Readonly<Partial<Record<Key, string>>> = {
  Up: 'A',
  Down: 'B',
  Right: 'C',
  Left: 'D',
  Home: 'H',
  End: 'F',
};

/** What xterm sends for a key. In the mode `applicationCursor`, programs want other sequences for arrows. */
export function keySequence(key: Key, applicationCursor: boolean): string {
  const arrow = arrows[key];
  if (arrow !== undefined) return `\u001b${applicationCursor ? 'O' : '['}${arrow}`;
  if (key.startsWith('C-')) return String.fromCharCode(key.charCodeAt(2) - 96);
  return named[key] ?? key;
}
