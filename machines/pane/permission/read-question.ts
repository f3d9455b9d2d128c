import type { AskedChoice, ReadQuestion } from '#contract/approval/asked-question.ts';
import { withoutAttributes } from '#contract/pane/attributes.ts';
import type { Capture } from '#contract/pane/capture.ts';
import type { Reading } from '#contract/pane/reading.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import { cutRegions } from '#machines/pane/region.ts';
import { type Row, styleAt } from '#machines/pane/screen.ts';
import { readBlock } from './block.ts';
import { type Dialog, inside, readDialog, type Subject, textsOf, unknownSubject } from './dialog.ts';
import {
  claudeSubject,
  codexSubject,
  copilotSubject,
  geminiSubject,
  qwenSubject,
  type SubjectReader,
} from './shapes.ts';

/** How the subject of a numbered dialog is read, by harness; a command of any other is never read as a whole. */
const readers: Readonly<Record<string, SubjectReader>> = {
  claude: claudeSubject,
  codex: codexSubject,
  gemini: geminiSubject,
  qwen: qwenSubject,
  copilot: copilotSubject,
};
/** Whose questions are beside a bar, with buttons. */
const barred: ReadonlySet<string> = new Set(['opencode', 'kilo']);
/** Words of questions about money. */
const payment =
  /\b(?:pay(?:ment|s|ing)?|purchase|buy|billing|subscri(?:be|ption)|upgrade|credits?|invoice|checkout|extra usage|price)\b/i;
const agrees = /^(?:Yes(?:,? (?:proceed|allow once|allow))?(?: \(y\))?|Allow once|Approve)$/;
const refuses = /^(?:No\b|Reject$|Deny\b)/;
const longest = 8_192;

/**
 * Reads the question of a waiting screen: what is asked about what, and which keys take which choice. Reads only rows
 * that the CLI itself draws at their places, so that a command can not draw another one. Undefined if it does not wait.
 */
export function readQuestion(
  screens: HarnessScreens,
  capture: Capture,
  { state, reason, answer }: Pick<Reading, 'state' | 'reason' | 'answer'>,
): ReadQuestion | undefined {
  if (state !== 'AGENT_STATE_WAITING') return undefined;
  const form = reason === '' ? 'question' : reason;
  const plain = answer === undefined && !capture.inMode ? partsOf(screens, capture) : undefined;
  if (plain === undefined) return { form, tool: '', text: '', whole: false, choices: [] };
  const { rows, subject, choices } = plain;
  const text = textsOf(rows.map((row) => row.replace(/[│┃─━╌╭╮╰╯▔]+/gu, ' ')))
    .map((row) => row.replace(/\s+/g, ' '))
    .join('\n');
  const isPermission = form === 'permission';
  const labels = choices.map(({ label }) => label).join('\n');
  const offered = isPermission ? labels : `${text}\n${labels}`;
  const yes = choices.findIndex(({ label }) => agrees.test(label));
  const no = choices.findLastIndex(({ label }) => refuses.test(label));
  return {
    ...(isPermission ? subject : { tool: '', whole: subject.whole }),
    form: form !== 'sign-in' && payment.test(offered) ? 'payment' : form,
    text: text.slice(0, longest),
    whole: subject.whole && text.length <= longest && isDrawnAs(plain, capture),
    choices: [...choices],
    ...(yes >= 0 && { yes }),
    ...(no >= 0 && { no }),
  };
}

/** Whether the pane really has what was read: no character in it is left out, unseen, or drawn as another one. */
function isDrawnAs({ subject, height }: Parts, { rows }: Capture): boolean {
  const plain = rows.map((row) => withoutAttributes(row).trimEnd());
  const drawn = plain.slice(0, plain.findLastIndex((row) => row !== '') + 1).slice(-height);
  const named = subject.command ?? subject.path;
  return !drawn.some(hasUnseen) && (named === undefined || drawn.some((row) => row.includes(named)));
}

/** Whether a text has characters that are not seen, or change the direction of text. */
function hasUnseen(text: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u3164\u115f\u1160\uffa0]|\p{Variation_Selector}/u.test(text);
}

interface Parts {
  readonly rows: readonly string[];
  readonly subject: Subject;
  readonly choices: readonly AskedChoice[];
  /** How many rows of the screen it has, from its head to the last row with text. */
  readonly height: number;
}

function partsOf({ harness, layout }: HarnessScreens, capture: Capture): Parts | undefined {
  const { screen, form } = cutRegions(layout, capture).rows;
  // What the top of the pane cuts is not seen.
  if (form.length === 0 || (form.length === screen.length && screen.length >= capture.height)) return undefined;
  if (barred.has(harness)) {
    const texts = form.map(({ text }) => text);
    const block = readBlock(texts, capture, (label) => isMarkedButton(form, label));
    return block && { ...block, height: form.length };
  }
  const from = harness === 'codex' ? codexHead(screen) : screen.length - form.length;
  const shown = screen.slice(from).map(({ text }) => text);
  const dialog = from < 0 ? undefined : dialogOf(harness, shown, capture.width);
  if (dialog === undefined) return undefined;
  const subject = readers[harness]?.(dialog) ?? unknownSubject;
  // What is no permission has no subject: all of its words are read.
  const whole = subject.tool === 'other' ? dialog.question >= 0 : subject.whole;
  return { rows: dialog.body, subject: { ...subject, whole }, choices: dialog.choices, height: shown.length };
}

/** The row of Codex's only question; -1 if there is none, or more than one that may be it. */
function codexHead(screen: readonly Row[]): number {
  const heads = screen.flatMap(({ text }, at) => (/^ {2}Would you like to .*\?$/.test(text) ? [at] : []));
  return heads.length === 1 ? (heads[0] ?? -1) : -1;
}

/** The dialog without its frame, from the row where its CLI begins it. */
function dialogOf(harness: string, rows: readonly string[], width: number): Dialog | undefined {
  const head = rows[0] ?? '';
  if (/^ ?╭─/u.test(head)) {
    const end = rows.findLastIndex((row) => /^ ?╰─/u.test(row));
    const inner = end < 0 ? undefined : inside(rows.slice(1, end));
    return inner === undefined ? undefined : readDialog(inner, head.trim().length - 4);
  }
  if (harness === 'claude') return /^[─▔]{8,}$/u.test(head) ? readDialog(rows.slice(1), width) : undefined;
  return readDialog(rows, width);
}

/** Whether a button has a background that the other buttons of its row lack. */
function isMarkedButton(form: readonly Row[], label: string): boolean {
  const row = form.findLast(({ text }) => text.includes('Allow once') && text.includes('Reject'));
  if (row === undefined) return false;
  const backgroundOf = (one: string): string => {
    const { background, reverse } = styleAt(row, row.text.indexOf(one));
    return `${background} ${reverse}`;
  };
  const others = ['Allow once', 'Allow always', 'Reject'].filter((one) => one !== label && row.text.includes(one));
  const backgrounds = new Set(others.map(backgroundOf));
  return backgrounds.size === 1 && !backgrounds.has(backgroundOf(label));
}
