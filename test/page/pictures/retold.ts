import { attributes } from '#contract/pane/attributes.ts';
import { type PlayedScreen, titledScreen } from '#test/rings/screens.ts';

/**
 * The folder in which the recorded CLIs worked: a made-up home and project, as in every screen of `test/pane/`. The
 * pictures show another one instead.
 */
const recordedFolder = /\/home\/ada\/code\/fleet-demo\/r\/(?:claude|codex)-200\/work/g;
const tmuxAdvice = /tmux focus-events off · .*? for focus tracking/g;

/** A sign of Claude's footer that few fonts have, and one as wide that most have. */
const pause = { recorded: '\u23f8', shown: '\u2016' } as const;

/** What is on a recorded screen, and what is put there instead; in this order. */
export type Words = Readonly<Record<string, string>>;

/**
 * A recorded screen of a real CLI with other words: its rows, colours, cursor and title stay as they were recorded.
 * @param name of a screen of 200 by 50, such as `claude/edit.ask`
 * @param folder where its agent works
 * @throws Error when the screen has none of the words that are to be replaced
 */
export function retold(name: string, folder: string, words: Words): PlayedScreen {
  const screen = titledScreen(`${name}-200x50`);
  const recorded = screen.rows
    .join('\n')
    .replace(recordedFolder, folder)
    .replace(tmuxAdvice, '')
    .replaceAll(pause.recorded, pause.shown);
  const text = Object.entries(words).reduce((told, [from, to]) => {
    if (!told.includes(from)) throw new Error(`${name} has no ${JSON.stringify(from)}`);
    return told.replaceAll(from, to);
  }, recorded);
  return { ...screen, types: screen.echoes, rows: complete(text.split('\n')) };
}

/** Rows that each begin with the attributes that the rows above have left on. */
function complete(rows: readonly string[]): string[] {
  let left: readonly string[] = [];
  return rows.map((row) => {
    const whole = `${left.join('')}${row}`;
    const set = [...left, ...(row.match(attributes) ?? [])];
    left = set.slice(Math.max(0, set.findLastIndex(isReset)));
    return whole;
  });
}

function isReset(attribute: string): boolean {
  return ['[m', '[0m', '[0;'].some((start) => attribute.startsWith(start, 1));
}
