import { acts } from './act.ts';

/** One or several keys, and what they do. */
export type KeyMeaning = readonly [keys: string, what: string];

/** The keys of one screen, or those that work on every screen. */
interface KeyGroup {
  readonly screen: string;
  readonly keys: readonly KeyMeaning[];
}

/** The keys of acts. Acts with the same key are never offered at the same time. */
function actKeys(): readonly KeyMeaning[] {
  const known = new Map<string, string>();
  for (const { key, label } of acts) {
    const what = label.toLowerCase();
    known.set(key, known.has(key) ? `${known.get(key)}, or ${what}` : what);
  }
  return [...known];
}

/** All keys, by the screen on which they work. */
export const keyGroups: readonly KeyGroup[] = [
  {
    screen: 'Everywhere',
    keys: [
      ['?', 'these keys'],
      ['Esc', 'leave a search, a dialog or a panel'],
      ['j  k  or  ↓  ↑', 'next and previous in a list'],
      ['PgDn  PgUp', 'a page forward, a page back'],
      ['Home  End', 'first and last in the list'],
      ['Enter', 'open the panel beside the list, or follow the row’s link'],
    ],
  },
  {
    screen: 'Agents',
    keys: [
      ['w', 'next agent that waits for you'],
      ['a', 'answer it'],
      ['0 … 9', 'take that choice of its question'],
      ['n', 'launch an agent'],
      ['p', 'write a prompt'],
      ['o', 'open its terminal'],
      ['v', 'review its work'],
      ["'  then a letter", 'go to the agent with that mark'],
      ['m  then a letter', 'mark the agent; m then space removes the mark'],
      ['/', 'search'],
      ...actKeys(),
    ],
  },
  {
    screen: 'Terminal',
    keys: [
      ['t', 'take the agent over and type; Shift Esc returns the keys to the page'],
      ['←  →', 'previous and next state'],
      ['l', 'back to what it shows now'],
      ['0 … 9', 'take that choice of its question'],
      ['p', 'write a prompt'],
      ['v', 'review its work'],
    ],
  },
  {
    screen: 'Review',
    keys: [
      ['j  k  u', 'next thread, previous thread, next with a new reply'],
      ['n  p', 'next file, previous file'],
      ['f  v', 'fold the file, mark it as viewed'],
      ['c', 'go to the lines; ↑ ↓ move, Shift extends, Enter comments'],
      ['/', 'search files'],
      ['s', 'side by side'],
      ['r', 'release'],
      ['o', 'open the terminal'],
    ],
  },
  {
    screen: 'Workflows',
    keys: [
      ['n', 'new workflow'],
      ['e', 'edit'],
      ['t', 'try the setup script'],
      ['d', 'delete'],
    ],
  },
  {
    screen: 'Schedules',
    keys: [
      ['n', 'new schedule'],
      ['f', 'fire now'],
      ['p', 'pause or resume'],
      ['e', 'edit'],
      ['d', 'delete'],
    ],
  },
  {
    screen: 'Mail',
    keys: [
      ['n', 'write to an agent'],
      ['r', 'reply'],
    ],
  },
  { screen: 'Pull requests', keys: [['n', 'connect a forge, on Forges']] },
  {
    screen: 'Runs',
    keys: [
      ['f', 'only unacknowledged failures'],
      ['a', 'acknowledge the failure'],
    ],
  },
  {
    screen: 'Hosts',
    keys: [
      ['c', 'cordon the host, uncordon or admit it'],
      ['e', 'its labels, patience and limits'],
      ['x', 'forget a lost host'],
    ],
  },
  {
    screen: 'State machines',
    keys: [
      ['←  →', 'previous and next transition'],
      ['l', 'back to now'],
      ['+  −', 'larger, smaller'],
      ['0', 'fit the chart'],
      ['1', 'actual size'],
      ['/', 'search instances'],
    ],
  },
  { screen: 'Doctor', keys: [['r', 'check again']] },
];
