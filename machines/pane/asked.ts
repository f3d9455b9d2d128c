import type { Capture } from '#contract/pane/capture.ts';
import type { Reading } from '#contract/pane/reading.ts';
import type { HarnessScreens, ScreenLayout } from '#contract/pane/screen-rule.ts';
import { firstChoice, isButtons, markOf } from './choice.ts';
import { findComposer } from './composer.ts';
import { closesBox, framedText, isRule, opensBox, titleIn } from './framed-text.ts';
import { heldBy } from './held-by.ts';
import { pattern } from './pattern.ts';
import { cutRegions } from './region.ts';
import { isAnnouncement, isHint, isQuestion, wordingOf } from './wording.ts';

/** A screen on which a question is looked for: its rows without attributes, and the places that are known. */
interface Scene {
  readonly rows: readonly string[];
  readonly layout: ScreenLayout;
  /** The rows that the rule matched, from above. */
  readonly evidence: readonly number[];
  /** The first row of the form; undefined if the harness' rules name none. */
  readonly head: number | undefined;
  /** Where somebody types. */
  readonly composer: { readonly top: number; readonly bottom: number } | undefined;
}

/**
 * What a screen that waits asks, on one line of at most 200 characters: the text of its form above the first choice,
 * without frames, bullets, code and keys; if no form is known, the rows near the evidence. What somebody types is never
 * in it. Empty for a screen that does not wait, and if nothing can be said.
 */
export function askedOn(
  { layout }: HarnessScreens,
  capture: Capture,
  { state, evidence, answer }: Pick<Reading, 'state' | 'evidence' | 'answer'>,
): string {
  if (state !== 'AGENT_STATE_WAITING') return '';
  // A program that asks for a line has the cursor behind its question, however far that was wrapped.
  const line =
    answer === undefined
      ? ''
      : wordingOf(
          cutRegions(layout, capture).rows.typed.map(({ text }) => text),
          Number.POSITIVE_INFINITY,
        );
  if (line !== '') return line;
  const held = layout.composers.length === 0 ? heldBy(capture, evidence, answer === undefined) : '';
  if (held !== '') return held;
  const scene = sceneOf(layout, capture, evidence);
  const { end, isChoice } = endOf(scene);
  const rows = rowsAbove(scene, end);
  const asked = wordingOf(isChoice ? rows : rows.map(untyped), capture.width);
  if (asked !== '') return asked;
  const near = wordingOf(closest(scene, end), capture.width);
  // What is asked may stand above a pane that is too short for it: its choices are better than nothing, and than keys.
  if (near.length >= 3 && !isHint(near)) return near;
  const words = evidence.filter((row) => !closesBox(row) && !isHint(framedText(row).text));
  return wordingOf(words, capture.width) || near;
}

/** What follows the sign at which a CLI takes an answer. */
function untyped(row: string): string {
  return row.replace(/ [>❯›](?: .*)?$/u, '');
}

/**
 * If the rows above say nothing: the choices, if they have names of their own, or what shows that somebody is waited
 * for.
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
  // A menu may take the composer's place.
  const mark = markOf(layout);
  const inside = [composer?.prompt, ...(composer?.body ?? [])].flatMap((row) => (row === undefined ? [] : [row.text]));
  const menu = inside.filter((text) => mark.test(text.trim()) && evidence.includes(text));
  const isEvidence = (row: string): boolean => evidence.includes(row) || menu.some((text) => row.includes(text));
  return {
    rows,
    layout,
    // Equal rows may be above: the evidence is the lowest of each.
    evidence: rows.flatMap((row, at) => (isEvidence(row) && rows.lastIndexOf(row) === at ? [at] : [])),
    head: form.length > 0 ? rows.length - form.length : undefined,
    composer: menu.length > 0 ? undefined : composer,
  };
}

/** The row that ends what is asked: the first choice, or else the row below the question. */
function endOf({ rows, layout, head, evidence, composer }: Scene): {
  readonly end: number;
  readonly isChoice: boolean;
} {
  const last = head === undefined ? (evidence.at(-1) ?? rows.length - 1) : rows.length - 1;
  const first = head ?? blockAbove(rows, blockAt(rows, evidence[0] ?? rows.length));
  const chosen = firstChoice(rows, markOf(layout), first, last);
  if (chosen >= 0) return { end: chosen, isChoice: true };
  // A form may mark by colour alone.
  const listed = rows.findLastIndex((row) => /^1[.)] /.test(framedText(row).text));
  if (head !== undefined && listed > head) return { end: listed, isChoice: true };
  const isTyped = composer !== undefined && last >= composer.top && last <= composer.bottom;
  return { end: aboveInput(rows, isTyped ? composer.top - 1 : last), isChoice: false };
}

/** The text of a row; empty if it has none, as frames have. */
function textAt(rows: readonly string[], at: number): string {
  const { text } = framedText(rows[at] ?? '');
  return /[\p{L}\p{N}]/u.test(text) ? text : '';
}

/** The first of the rows with text that a row is among. */
function blockAt(rows: readonly string[], at: number): number {
  let top = at;
  while (top > 0 && textAt(rows, top - 1) !== '') top -= 1;
  return top;
}

/** The first of the rows with text that are next above. */
function blockAbove(rows: readonly string[], top: number): number {
  let last = top - 1;
  while (last > 0 && textAt(rows, last) === '') last -= 1;
  return blockAt(rows, Math.max(0, last));
}

/**
 * Below what is asked, keys may stand, and above these a place to type: the first row of that; else the row below the
 * last one.
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

/** A command that was given to a shell. */
const command = /^[^\s$]+\$ \S/;
/** A row, apart from the question, that says what the question is about. */
const informative = /^\$ |^\d+[.)] |^[~/]\S/;
/** How many rows above its end a question may begin. */
const maxRows = 40;
/** How many of them a rule may be above it that a question without a frame begins with. */
const nearRows = 16;

/** The rows that ask, from above: up to the head of the form, a frame, or what the CLI said before. */
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
    if (!isBound && !isInFrame && isIncluded(layout, row)) {
      // The row that shows that somebody is waited for is always included.
      return taken.length === 0 && evidence.includes(at) ? [row] : taken;
    }
    isFramed ||= isInFrame;
    if (text === '' && !isBound && !isFramed) {
      if (isAsked) return [...informativeAbove(scene, at), ...taken];
      if (rows[at - 1] === '' && taken.some((one) => one !== '')) break;
    }
    isAsked ||= isQuestion(text);
    // What is typed to search in a list.
    if (isBound || !isInput(text)) taken.unshift(row);
  }
  return taken;
}

/**
 * The row below an announcement, or below a rule that is near, if the CLI said nothing and nobody typed anything since;
 * undefined if there is none.
 */
function boundAt({ rows, layout, composer }: Scene, end: number): number | undefined {
  for (let at = end - 1; at >= Math.max(0, end - maxRows); at -= 1) {
    const row = rows[at] ?? '';
    const { text } = framedText(row);
    if (isAnnouncement(text)) return at + 1;
    if (isIncluded(layout, row) || isInput(text) || (composer !== undefined && at <= composer.bottom)) return undefined;
    if (isRule(row)) return end - at <= nearRows ? at + 1 : undefined;
  }
  return undefined;
}

/** Whether a row is one on which somebody types, or typed. */
const isInput = (text: string): boolean => /^[>❯›](?: |$)/u.test(text);

/** Whether nothing above a row belongs to the question. */
function isEdge({ rows, composer }: Scene, at: number): boolean {
  const row = rows[at] ?? '';
  if (composer !== undefined && at >= composer.top && at <= composer.bottom) return true;
  return closesBox(row) || isRule(row) || command.test(row);
}

function isHead({ forms }: ScreenLayout, row: string): boolean {
  return forms.some((shape) => pattern((shape.kind === 'block' ? shape.row : shape.head) ?? '$^').test(row));
}

function isIncluded({ transcript, echo }: ScreenLayout, row: string): boolean {
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
    !block.some((row) => isIncluded(layout, row))
    ? [...block, '']
    : [];
}
