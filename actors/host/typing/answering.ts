import { type Observation, observeUntil } from '#actors/host/reading/observation.ts';
import { Failure } from '#contract/failure.ts';
import type { Key } from '#contract/key.ts';
import { quoted } from '#contract/quoted.ts';
import { pressed } from './key-press.ts';
import { aborted, expectWritten, type PermittedTarget, refused, seen } from './pane-mutex.ts';
import { isSameQuestion } from './same-question.ts';
import { isEcho } from './typing.ts';
import { typeWithin } from './typing-attempt.ts';

/** How long to wait for the question to be ready for an answer, in milliseconds. */
const readyWithin = 2_000;
/**
 * How long a selection must have been shown before it is answered, in milliseconds. At first, some CLIs ignore keys,
 * because they may have been meant for the previous screen.
 */
const selectionMs = 800;
/**
 * How long a typed line may take to appear, and how long the screen must then stay unchanged, in milliseconds. A
 * password never appears.
 */
const echo = { withinMs: 600, quietMs: 60 } as const;

/** A person's answer: the screen that they saw, the text to type, and the keys to press after it. */
export interface PersonAnswer {
  readonly screenDigest: string;
  readonly text: string;
  readonly keys: readonly Key[];
  /** Whether a screen shows the question that a rule answers; undefined for a person's answer. */
  readonly isAsked?: ((observation: Observation) => boolean) | undefined;
}

/** The screen after an answer, and whether it still shows the same question. */
interface AnswerScreen {
  readonly observation: Observation;
  readonly sameQuestion: boolean;
}

/**
 * Answers the question on a screen: types the text, then presses the keys, each after the screen shows the effect of
 * the previous one. `questionMs` returns how long the question has been shown, in milliseconds.
 * @throws FAILED_PRECONDITION when the screen asks nothing; ABORTED when it shows another question, or a key had no
 *   effect
 */
export async function answerAt(
  target: PermittedTarget,
  name: string,
  { screenDigest, text, keys, isAsked }: PersonAnswer,
  questionMs: () => number,
): Promise<AnswerScreen> {
  const asked = await awaitQuestion(target, name, { screenDigest, isAsked }, questionMs);
  if (text === '') return pressAll(target, name, asked, keys);
  const typed = await typeLine(target, name, asked, text);
  if (typed.sameQuestion) return pressAll(target, name, typed.observation, keys);
  const isOver = typed.observation.reading.state !== 'AGENT_STATE_WAITING';
  // A program that reads single keys has accepted the text without Enter.
  if (isOver && keys.every((key) => key === 'Enter')) return typed;
  throw aborted(name, 'does not show the text at the end of its question, so no key was pressed');
}

/**
 * Waits until the question has been shown for long enough to answer it.
 * @throws ABORTED when another question is shown; FAILED_PRECONDITION when none is
 */
async function awaitQuestion(
  target: PermittedTarget,
  name: string,
  { screenDigest, isAsked }: Pick<PersonAnswer, 'screenDigest' | 'isAsked'>,
  questionMs: () => number,
): Promise<Observation> {
  const { clock } = target;
  const [before, began] = [questionMs(), clock.monotonic()];
  const isSameScreen = (one: Observation): boolean =>
    one.reading.state === 'AGENT_STATE_WAITING' && one.screenDigest === screenDigest && (isAsked?.(one) ?? true);
  const isOldEnough = ({ reading }: Observation): boolean =>
    // If a program reads a line, the terminal buffers what is typed early.
    (reading.answer !== undefined && isAsked === undefined) || before + clock.monotonic() - began >= selectionMs;
  const looked = await observeUntil(target, readyWithin, (one) => !isSameScreen(one) || isOldEnough(one));
  const observation = looked ?? (await seen(target, name));
  if (observation.reading.state !== 'AGENT_STATE_WAITING')
    throw refused('NOTHING_TO_ANSWER', name, `it asks no question (${observation.reading.state})`);
  if (isSameScreen(observation)) return observation;
  throw new Failure(
    'SCREEN_CHANGED',
    `The screen of agent ${quoted(name)} is no longer the one that was answered (now ${observation.screenDigest}): read it again`,
    { field: 'screenDigest', metadata: { screenDigest: observation.screenDigest } },
  );
}

async function typeLine(
  target: PermittedTarget,
  name: string,
  before: Observation,
  text: string,
): Promise<AnswerScreen> {
  const { terminal, paneId, attempt } = target;
  expectWritten(await typeWithin(attempt, (until) => terminal.type(paneId, text, until)), name);
  const isShown = (one: Observation, unchangedMs: number): boolean =>
    one.digest !== before.digest && unchangedMs >= echo.quietMs;
  const observation = (await observeUntil(target, echo.withinMs, isShown)) ?? (await seen(target, name));
  return { observation, sameQuestion: isSameQuestion(before, observation, text) };
}

async function pressAll(
  target: PermittedTarget,
  name: string,
  asked: Observation,
  keys: readonly Key[],
): Promise<AnswerScreen> {
  let observation = asked;
  let sameQuestion = true;
  let isOpen = true;
  for (const [place, key] of keys.entries()) {
    if (!isOpen)
      throw aborted(name, `asks no more after ${place} of ${keys.length} keys, so the others were not pressed`);
    const before = observation;
    observation = await pressed(target, name, before, key);
    sameQuestion &&= isSameQuestion(before, observation, key.length === 1 ? key : '');
    isOpen = observation.reading.state === 'AGENT_STATE_WAITING' || isEcho(before, observation, key);
  }
  return { observation, sameQuestion: sameQuestion && isOpen };
}
