import { type Observation, observeUntil } from '#actors/host/reading/observation.ts';
import { Failure } from '#contract/failure.ts';
import type { Key } from '#contract/key.ts';
import { quoted } from '#contract/quoted.ts';
import { pressed } from './key-press.ts';
import { aborted, expectWritten, type PermittedTarget, refused, seen } from './pane-mutex.ts';
import { isSameQuestion } from './same-question.ts';
import { typeWithin } from './traces.ts';
import { isEcho } from './typing.ts';

/** For so long a question may take to stand, in milliseconds. */
const standsWithin = 2_000;
/**
 * For so long a selection stands before it is answered: some CLIs take no key in its first moments, lest it was meant
 * for what was there before.
 */
const selectionMs = 800;
/**
 * How long a typed line may take to show, and for how long it is then unchanged, in milliseconds. A password never
 * shows.
 */
const echo = { withinMs: 600, quietMs: 60 } as const;

/**
 * What a person answers: the screen that they saw, the text that is typed first, and the keys that are pressed then.
 */
export interface GivenAnswer {
  readonly screenDigest: string;
  readonly text: string;
  readonly keys: readonly Key[];
}

/** What a question came to, and whether it is still the same one. */
interface Answered {
  readonly observation: Observation;
  readonly sameQuestion: boolean;
}

/**
 * Answers the question that is on a screen: types the text, then presses the keys, each once what was before it shows.
 * `stoodMs`: for how long that question has stood, in milliseconds.
 * @throws FAILED_PRECONDITION when no question is asked, ABORTED when it is another one, or a key did nothing
 */
export async function answerAt(
  target: PermittedTarget,
  name: string,
  { screenDigest, text, keys }: GivenAnswer,
  stoodMs: () => number,
): Promise<Answered> {
  const asked = await standing(target, name, screenDigest, stoodMs);
  if (text === '') return pressAll(target, name, asked, keys);
  const typed = await typeLine(target, name, asked, text);
  if (typed.sameQuestion) return pressAll(target, name, typed.observation, keys);
  const isOver = typed.observation.reading.state !== 'AGENT_STATE_WAITING';
  // A program that reads single keys has taken it, and needs no Enter.
  if (isOver && keys.every((key) => key === 'Enter')) return typed;
  throw aborted(name, 'does not show the text at the end of its question, so no key was pressed');
}

/**
 * The question once it has stood long enough to be answered. @throws ABORTED when another one is shown,
 * FAILED_PRECONDITION when none is
 */
async function standing(
  target: PermittedTarget,
  name: string,
  digest: string,
  stoodMs: () => number,
): Promise<Observation> {
  const { clock } = target;
  const [before, began] = [stoodMs(), clock.monotonic()];
  const stands = ({ reading, screenDigest }: Observation): boolean =>
    reading.state === 'AGENT_STATE_WAITING' && screenDigest === digest;
  const isOldEnough = ({ reading }: Observation): boolean =>
    // A terminal keeps a line for the program that asks for one.
    reading.answer !== undefined || before + clock.monotonic() - began >= selectionMs;
  const looked = await observeUntil(target, standsWithin, (one) => !stands(one) || isOldEnough(one));
  const observation = looked ?? (await seen(target, name));
  if (observation.reading.state !== 'AGENT_STATE_WAITING')
    throw refused('NOTHING_TO_ANSWER', name, `it asks nothing (${observation.reading.state})`);
  if (stands(observation)) return observation;
  throw new Failure(
    'SCREEN_CHANGED',
    `The screen of agent ${quoted(name)} is no longer the one that was answered (now ${observation.screenDigest}): read it again`,
    { field: 'screenDigest', metadata: { screenDigest: observation.screenDigest } },
  );
}

async function typeLine(target: PermittedTarget, name: string, before: Observation, text: string): Promise<Answered> {
  const { terminal, paneId, traces } = target;
  expectWritten(await typeWithin(traces, (until) => terminal.type(paneId, text, until)), name);
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
): Promise<Answered> {
  let observation = asked;
  let sameQuestion = true;
  let isOpen = true;
  for (const [place, key] of keys.entries()) {
    if (!isOpen)
      throw aborted(name, `asks nothing more after ${place} of ${keys.length} keys, so the rest was not pressed`);
    const before = observation;
    observation = await pressed(target, name, before, key);
    sameQuestion &&= isSameQuestion(before, observation, key.length === 1 ? key : '');
    isOpen = observation.reading.state === 'AGENT_STATE_WAITING' || isEcho(before, observation, key);
  }
  return { observation, sameQuestion: sameQuestion && isOpen };
}
