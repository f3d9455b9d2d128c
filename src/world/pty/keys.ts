import type { Key } from '#contract/key.ts';

const named: Readonly<Partial<Record<Key, string>>> = {
  Enter: '\r',
  Escape: '\u001b',
  Tab: '\t',
  BTab: '\u001b[Z',
  Space: ' ',
  BSpace: '\u007f',
  'C-c': '\u0003',
  'C-d': '\u0004',
  'C-u': '\u0015',
};
const arrows: Readonly<Partial<Record<Key, string>>> = { Up: 'A', Down: 'B', Right: 'C', Left: 'D' };

/** What xterm sends for a key. `applicationCursor` is the mode in which programs ask for other arrows. */
export function keySequence(key: Key, applicationCursor: boolean): string {
  const arrow = arrows[key];
  if (arrow !== undefined) return `\u001b${applicationCursor ? 'O' : '['}${arrow}`;
  return named[key] ?? key;
}
