import type { Capture } from '#contract/pane/capture.ts';
import type { Reading } from '#contract/pane/reading.ts';
import type { HarnessScreens, ScreenLayout } from '#contract/pane/screen-rule.ts';
import { firstChoice, isButtons, markOf } from './choice.ts';
import { findComposer } from './composer.ts';
import { foregroundQuestion } from './foreground-question.ts';
import { closesBox, framedText, isRule, opensBox, titleIn } from './framed-text.ts';
import { pattern } from './pattern.ts';
import { cutRegions } from './region.ts';
import { isHint, isLeadIn, isQuestion, wordingOf } from './wording.ts';

/** A screen to search for a question: its rows without attributes, and what is known about them. */
interface Scene {
  readonly rows: readonly string[];
  readonly layout: ScreenLayout;
  /** The rows that the rule matched, from the top. */
  readonly evidence: readonly number[];
  /** The first row of the form; undefined if the harness's rules find none. */
  readonly head: number | undefined;
  /** The rows of the composer. */
  readonly composer: { readonly top: number; readonly bottom: number } | undefined;
}

/**
 * The question of a waiting screen, on one line of at most 200 characters: the text of its form above the first choice,
 * without frames, bullets, code and keys; if no form is known, the rows near the evidence. It never contains what
 * somebody has typed. Empty if the screen does not wait, or no question is found.
 */
export function questionOn(
  { layout }: HarnessScreens,
  capture: Capture,
  { state, evidence, answer }: Pick<Reading, 'state' | 'evidence' | 'answer'>,
): string {
  if (state !== 'AGENT_STATE_WAITING') return '';
  // If a program reads a line, the cursor is at the end of its question, which may be wrapped.
  const line =
    answer === undefined
      ? ''
      : wordingOf(
          cutRegions(layout, capture).rows.typed.map(({ text }) => text),
          Number.POSITIVE_INFINITY,
        );
  if (line !== '') return line;
  const held = layout.composers.length === 0 ? foregroundQuestion(capture, evidence, answer === undefined) : '';
  if (held !== '') return held;
  const scene = sceneOf(layout, capture, evidence);
  const { end, isChoice } = endOf(scene);
  const rows = rowsAbove(scene, end);
  const asked = wordingOf(isChoice ? rows : rows.map(untyped), capture.width);
  if (asked !== '') return asked;
  const near = wordingOf(closest(scene, end), capture.width);
  // In a short pane, the question may have scrolled off. Its choices are better than nothing, and than keys.
  if (near.length >= 3 && !isHint(near)) return near;
  const words = evidence.filter((row) => !closesBox(row) && !isHint(framedText(row).text));
  return wordingOf(words, capture.width) || near;
}

/** The text before what somebody has typed at a CLI's prompt sign. */
function untyped(row: string): string {
  return row.replace(/ [>❯›](?: .*)?$/u, '');
}

/**
 * If the rows above have no question: the choices, if they have meaningful names, or the evidence that the CLI waits.
 */
function closest({ rows, head, evidence }: Scene, end: number): string[] {
  const { text } = framedText(rows[end] ?? '');
  if (isButtons(text)) return [text];
  return head === undefined ? evidence.slice(-1).map((at) => rows[at] ?? '') : [];
}

function sceneOf(layout: ScreenLayout, capture: Capture, evidence: readonly string[]): Scene {
  const { screen, form } = cutRegions(layout, capture).rows;
  const rows = screen.map(({ text }) => text);
  const { lowest, stale } = findComposer(screen, layout);
  const composer = stale ? undefined : lowest;
  // A menu may replace the composer.
  const mark = markOf(layout);
  const inside = [composer?.prompt, ...(composer?.body ?? [])].flatMap((row) => (row === undefined ? [] : [row.text]));
  const menu = inside.filter((text) => mark.test(text.trim()) && evidence.includes(text));
  const isEvidence = (row: string): boolean => evidence.includes(row) || menu.some((text) => row.includes(text));
  return {
    rows,
    layout,
    // Equal rows may be further up: the evidence is the lowest of each.
    evidence: rows.flatMap((row, at) => (isEvidence(row) && rows.lastIndexOf(row) === at ? [at] : [])),
    head: form.length > 0 ? rows.length - form.length : undefined,
    composer: menu.length > 0 ? undefined : composer,
  };
}

/** The row that ends the question: the first choice, or else the row below the question. */
function endOf({ rows, layout, head, evidence, composer }: Scene): {
  readonly end: number;
  readonly isChoice: boolean;
} {
  const last = head === undefined ? (evidence.at(-1) ?? rows.length - 1) : rows.length - 1;
  const first = head ?? blockAbove(rows, blockAt(rows, evidence[0] ?? rows.length));
  const chosen = firstChoice(rows, markOf(layout), first, last);
  if (chosen >= 0) return { end: chosen, isChoice: true };
  // A form may mark the selection only by colour.
  const listed = rows.findLastIndex((row) => /^1[.)] /.test(framedText(row).text));
  if (head !== undefined && listed > head) return { end: listed, isChoice: true };
  const isTyped = composer !== undefined && last >= composer.top && last <= composer.bottom;
  return { end: aboveInput(rows, isTyped ? composer.top - 1 : last), isChoice: false };
}

/** The text of a row; empty for a frame. */
function textAt(rows: readonly string[], at: number): string {
  const { text } = framedText(rows[at] ?? '');
  return /[\p{L}\p{N}]/u.test(text) ? text : '';
}

/** The first row of the block of text that a row is in. */
function blockAt(rows: readonly string[], at: number): number {
  let top = at;
  while (top > 0 && textAt(rows, top - 1) !== '') top -= 1;
  return top;
}

/** The first row of the next block of text above. */
function blockAbove(rows: readonly string[], top: number): number {
  let last = top - 1;
  while (last > 0 && textAt(rows, last) === '') last -= 1;
  return blockAt(rows, Math.max(0, last));
}

/**
 * The first row of the input field below a question, which may be followed by a row of keys; without one, the row below
 * the last row of text.
 */
function aboveInput(rows: readonly string[], from: number): number {
  let last = from;
  while (last > 0 && textAt(rows, last) === '') last -= 1;
  const top = blockAt(rows, last);
  const texts = Array.from({ length: last - top + 1 }, (_, place) => textAt(rows, top + place));
  const keys = texts.findIndex((_, place) => isHint(texts.slice(place).join(' ')));
  const first = texts.findIndex((text) => isHint(text));
  if (keys < 0) return last + 1;
  if (first > 0) return top + Math.max(1, first - 1);
  return top === 0 ? top : blockAbove(rows, top);
}

/** A command at a shell's prompt. */
const command = /^[^\s$]+\$ \S/;
/** A row that says what the question is about. */
const informative = /^\$ |^\d+[.)] |^[~/]\S/;
/** Maximum height of a question, in rows. */
const maxRows = 40;
/** How many rows above its end a horizontal rule may be that begins a question without a frame. */
const nearRows = 16;

/** The rows of the question: from the head of the form, a frame, or earlier output. */
function rowsAbove(scene: Scene, end: number): string[] {
  const { rows, layout, head = end, evidence } = scene;
  const top = head < end && isHead(layout, rows[head] ?? '') ? head : boundAt(scene, end);
  const isBound = top !== undefined;
  const taken: string[] = [];
  let isFramed = false;
  let isAsked = false;
  for (let at = end - 1; at >= (top ?? Math.max(0, end - maxRows)); at -= 1) {
    const row = rows[at] ?? '';
    const { text, isFramed: isInFrame } = framedText(row);
    if (opensBox(row)) return [titleIn(row), ...taken];
    if (isEdge(scene, at) || (isFramed && !isInFrame)) break;
    if (!isBound && !isInFrame && isTranscript(layout, row)) {
      // The row that shows that the CLI waits is always included.
      return taken.length === 0 && evidence.includes(at) ? [row] : taken;
    }
    isFramed ||= isInFrame;
    if (text === '' && !isBound && !isFramed) {
      if (isAsked) return [...informativeAbove(scene, at), ...taken];
      if (rows[at - 1] === '' && taken.some((one) => one !== '')) break;
    }
    isAsked ||= isQuestion(text);
    // Leave out the search text of a list.
    if (isBound || !isInput(text)) taken.unshift(row);
  }
  return taken;
}

/**
 * The row below a lead-in, or below a nearby horizontal rule, if there was no output and no input since;
 * undefined if there is none.
 */
function boundAt({ rows, layout, composer }: Scene, end: number): number | undefined {
  for (let at = end - 1; at >= Math.max(0, end - maxRows); at -= 1) {
    const row = rows[at] ?? '';
    const { text } = framedText(row);
    if (isLeadIn(text)) return at + 1;
    if (isTranscript(layout, row) || isInput(text) || (composer !== undefined && at <= composer.bottom))
      return undefined;
    if (isRule(row)) return end - at <= nearRows ? at + 1 : undefined;
  }
  return undefined;
}

/** Whether a row is an input field. */
const isInput = (text: string): boolean => /^[>❯›](?: |$)/u.test(text);

/** Whether a row bounds the question: nothing above it belongs to the question. */
function isEdge({ rows, composer }: Scene, at: number): boolean {
  const row = rows[at] ?? '';
  if (composer !== undefined && at >= composer.top && at <= composer.bottom) return true;
  return closesBox(row) || isRule(row) || command.test(row);
}

function isHead({ forms }: ScreenLayout, row: string): boolean {
  return forms.some((shape) => pattern((shape.kind === 'block' ? shape.row : shape.head) ?? '$^').test(row));
}

/** Whether a row belongs to the transcript: output, or an echo of an input. */
function isTranscript({ transcript, echo }: ScreenLayout, row: string): boolean {
  return [transcript, echo].some((source) => source !== undefined && pattern(source).test(row));
}

/** The rows right above a blank one, if they say what the question below is about. */
function informativeAbove({ rows, layout, composer }: Scene, blank: number): string[] {
  let top = blank;
  while (top > 0 && rows[top - 1] !== '') top -= 1;
  const block = rows.slice(top, blank);
  const isOther = composer !== undefined && composer.bottom >= top;
  return !isOther &&
    block.some((row) => informative.test(framedText(row).text)) &&
    !block.some((row) => isTranscript(layout, row))
    ? [...block, '']
    : [];
}
