import { lastRowsOf, type Observation, observeUntil } from '#actors/host/reading/observation.ts';
import { screenMark } from '#contract/fact/reason-parts.ts';
import type { Key } from '#contract/key.ts';
import { settleMs } from '#machines/settle.ts';
import { aborted, expectWritten, type PermittedTarget } from './pane-mutex.ts';
import { isSameQuestion } from './same-question.ts';
import { typeWithin } from './typing-attempt.ts';

/** How long a key may take to have a visible effect, in milliseconds. */
const showsWithin = 3_000;
/**
 * How long a screen must stay unchanged if only the mark of a selection has moved, in milliseconds: the redraw is
 * short.
 */
const movedMs = 30;

/** Presses a key. @throws Failure when the key could not be pressed */
export async function pressKey({ terminal, paneId, attempt }: PermittedTarget, name: string, key: Key): Promise<void> {
  expectWritten(await typeWithin(attempt, (until) => terminal.press(paneId, [key], until)), name);
}

/** Presses a key and waits for its visible effect. @throws ABORTED when there is none */
export async function pressed(
  target: PermittedTarget,
  name: string,
  before: Observation,
  key: Key,
): Promise<Observation> {
  await pressKey(target, name, key);
  const isTaken = (one: Observation, unchangedMs: number): boolean => {
    if (one.screenDigest === before.screenDigest) return false;
    const enoughMs = isSameQuestion(before, one) ? movedMs : settleMs;
    return unchangedMs >= enoughMs || one.reading.state === 'AGENT_STATE_THINKING';
  };
  const after = await observeUntil(target, showsWithin, isTaken, movedMs);
  if (after) return after;
  throw aborted(name, `did not react to ${key}${screenMark}\n${lastRowsOf(before.recorded, 10)}`);
}
