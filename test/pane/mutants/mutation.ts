import type { Capture } from '#contract/pane/capture.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { cutRegions } from '#machines/pane/region.ts';
import type { KnownScreen } from '../confusion.ts';
import type { Dice } from './dice.ts';
import { languages } from './languages.ts';
import { bare, rewritten } from './rewriting.ts';

/** How an update of a CLI may change its screens: the same screen, changed. */
export interface Mutation {
  readonly name: string;
  readonly change: (screen: KnownScreen, dice: Dice) => Capture;
}

/** What turns while a CLI works, at the beginning of its row, by harness. */
export const spinners: Readonly<Record<string, RegExp>> = {
  claude: /^[·✢✳✶✻✽∗*](?= \S)|^●(?= .*… \()/u,
  codex: /^[•◦·](?= .*(?:\(\d.*s|…$|…\)$))/u,
  gemini: /^( ?)[⠀-⣿](?= )/u,
  qwen: /^( {0,2})(?:[⠀-⣿]|[^\w\s]{1,3}(?= +\S.*esc to cancel))/u,
  opencode: /[■⬝]+|\[⋯\]/u,
  kilo: /[■⬝]+|\[⋯\]/u,
  droid: /^( {0,2})[⠀-⣿](?= )/u,
  copilot: /^( {0,2})(?:[∙○◎◉◐◓◑◒⠀-⣿](?= \S)|●(?= .*[Ee]sc))/u,
  pi: /^( {0,2})[⠀-⣿](?= )/u,
  cline: /^( *)[⠀-⣿](?= )/u,
  aider: /^( *)(?:[░█]+|[⠀-⣿])(?= )/u,
  cursor: /^( {0,2})[⠀-⣿⬡⬢]{1,2}(?= )/u,
  amp: /^( *╰? ?)[≈∿≋∼⠀-⣿](?= )/u,
};

const hintWords = '\\b(?:[Ee]sc|ctrl\\+c)(?: [Ee]sc)? (?:again )?(?:to )?(?:interrupt|cancel|stop)\\b';
const hint = new RegExp(`\\(${hintWords}(?:, \\d+s)?\\)|${hintWords}`, 'u');
const boxes: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['─│╭╮╰╯┌┐└┘▀▄', '━┃┏┓┗┛┏┓┗┛▔▁'],
  ['─│╭╮╰╯┌┐└┘▀▄', '-|++++++++=='],
  ['─│┃╭╮╰╯┌┐└┘╹', '═║║╔╗╚╝╔╗╚╝╚'],
];

/** The name of the change that takes the title away. */
export const noTitle = 'no title';

/** Every kind of change, in the order of the table. */
export const mutations: readonly Mutation[] = [
  {
    name: 'another spinner',
    change: ({ harness, capture }, dice) => {
      const glyph = dice.of(['◴', '⟳', '▹', '⧗', '❋', '⌛', '~', '✦', '◜', '✺', '🌀', '/', '▖', '◌', '■']);
      const spinner = spinners[harness];
      return spinner === undefined ? capture : eachRow(capture, (row) => rewritten(row, spinner, `$1${glyph}`));
    },
  },
  {
    name: 'another glyph in the title',
    change: ({ capture }, dice) => ({
      ...capture,
      title: capture.title.replace(/^[^\p{L}\p{N}\s[/~.]+/u, dice.of(['◴', '⟳', '▶', '★', '*'])),
    }),
  },
  {
    name: 'other words for the hint',
    change: ({ capture }, dice) => {
      const words = dice.of(['escape stops', 'press q to halt', '⎋ ends the turn', '(q: abort)']);
      return eachRow(capture, (row) => rewritten(row, hint, words));
    },
  },
  { name: 'the hint elsewhere', change: ({ capture }, dice) => moved(capture, dice.of(['top', 'bottom'])) },
  {
    name: 'another cursor',
    change: ({ harness, capture }, dice) => {
      const glyph = dice.of(['▶', '»', '➤', '⟩', '⇒']);
      const marks =
        harness === 'gemini' || harness === 'qwen' ? /^([│┃ ]*)[❯›>●∙](?= {1,2}\d|$| )/u : /^([│┃ ]*)[❯›>→▸](?= |$)/u;
      return eachRow(capture, (row) => rewritten(row, marks, `$1${glyph}`));
    },
  },
  {
    name: 'other boxes',
    change: ({ capture }, dice) => {
      const [from, to] = dice.of(boxes);
      return eachRow(capture, (row) => [...row].map((one) => to[from.indexOf(one)] ?? one).join(''));
    },
  },
  { name: 'no colours', change: ({ capture }) => eachRow(capture, bare) },
  { name: noTitle, change: ({ capture }) => ({ ...capture, title: '' }) },
  { name: 'another order in the footer', change: reordered },
  {
    name: 'another language',
    change: ({ capture }, dice) => {
      const words = dice.of(languages);
      return eachRow(capture, (row) => words.reduce((done, [from, to]) => rewritten(done, from, to), row));
    },
  },
];

/** Several changes, one after another. */
export function together(parts: readonly Mutation[]): Mutation {
  return {
    name: parts.map(({ name }) => name).join(', '),
    change: (screen, dice) =>
      parts.reduce(
        (changed, { change }) => ({ ...screen, capture: change({ ...screen, capture: changed.capture }, dice) }),
        screen,
      ).capture,
  };
}

function eachRow(capture: Capture, change: (row: string) => string): Capture {
  return { ...capture, rows: capture.rows.map(change) };
}

/** The hint, cut out of its row, on another one that says something else. */
function moved(capture: Capture, to: 'top' | 'bottom'): Capture {
  const cut = capture.rows.find((row) => hint.test(bare(row)));
  if (cut === undefined) return capture;
  const words = hint.exec(bare(cut))?.[0] ?? '';
  const rows = capture.rows.map((row) => rewritten(row, new RegExp(` ?(?:· |• )?(?:${hint.source})`, 'u'), ''));
  const last = rows.findLastIndex((row) => bare(row).trim() !== '');
  if (to === 'top') return { ...capture, rows: [`  ${words}`, ...rows] };
  return { ...capture, rows: rows.map((row, place) => (place === last ? `${row}  ${words}` : row)) };
}

/** The parts of each row of the footer, the last one first. */
function reordered({ harness, capture }: KnownScreen): Capture {
  const { footer } = cutRegions(screensOf(builtIn, harness).layout, capture).rows;
  const texts = new Set(footer.map(({ text }) => text.trim()).filter((text) => text !== ''));
  return eachRow(capture, (row) => {
    const text = bare(row).trim();
    if (!texts.has(text)) return row;
    const parts = text.split(/( · | {2,})/);
    return `  ${parts.toReversed().join('')}`;
  });
}
