import { type Observation, observeUntil } from '#actors/host/reading/observation.ts';
import { withoutAttributes } from '#contract/pane/attributes.ts';
import { type Harness, howToContinue } from '#machines/harness/definition.ts';
import { settleMs } from '#machines/settle.ts';
import { answerAt } from './answering.ts';
import { aborted, fitObservation, type PermittedTarget, refused, seen } from './pane-mutex.ts';
import { pasteDraft, submit } from './submission.ts';

/** How long a typed text may take to appear, and a CLI to leave its question, in milliseconds. */
const [pasteWithin, leavesWithin] = [8_000, 5_000];

/** How a CLI is asked to continue. */
interface Continuing {
  readonly harness: Harness | undefined;
  /** Identifies the request, in the stamps of the pane. */
  readonly request: string;
  readonly questionMs: (screenDigest: string) => number;
}

/**
 * Asks a CLI to continue whose screen shows a limit of its account: chooses to wait or to try again if it asks, and
 * then types the harness's prompt, unless it works already. After a crash it submits the prompt that is left in the
 * composer, and types nothing if it was submitted.
 * @throws FAILED_PRECONDITION when the screen shows no limit, or may not be typed into; ABORTED when it was not accepted
 */
export async function tellToContinue(
  target: PermittedTarget,
  name: string,
  { harness, request, questionMs }: Continuing,
): Promise<Observation> {
  const { prompt, choices } = howToContinue(harness);
  const stamps = { pasted: `continue:${request}:pasted`, submitted: `continue:${request}:submitted` };
  if (prompt === '') throw refused('SCREEN_UNCLEAR', name, 'its CLI runs every line as a command');
  const shown = await seen(target, name);
  const stamp = await target.terminal.stampOf(target.paneId);
  if (stamp === stamps.submitted) return shown;
  if (stamp === stamps.pasted && shown.draft && !shown.capture.inMode) {
    const check = ({ composed }: Observation): void => refuseOther(name, prompt, composed);
    return submit(target, name, { before: undefined, drafted: shown, check, stamp: stamps.submitted });
  }
  if (shown.limit === undefined) throw refused('SCREEN_UNCLEAR', name, 'its screen shows no limit any more');
  const rested =
    shown.reading.state === 'AGENT_STATE_WAITING' ? await choose(target, name, shown, choices, questionMs) : shown;
  if (rested.reading.state === 'AGENT_STATE_THINKING') return rested;
  const before = await fitObservation(target, name);
  if (before.limit === undefined && rested === shown)
    throw refused('SCREEN_UNCLEAR', name, 'its screen shows no limit any more');
  const drafted = await pasteDraft(target, name, { text: prompt, stamp: stamps.pasted, before, withinMs: pasteWithin });
  if (!drafted) throw aborted(name, 'did not show what was pasted');
  return submit(target, name, { before, drafted, stamp: stamps.submitted });
}

/** @throws FAILED_PRECONDITION when a composer holds other text than the prompt that was pasted */
function refuseOther(name: string, prompt: string, composed: string): void {
  if (composed.trim() !== prompt) throw refused('DRAFT_IN_COMPOSER', name, 'its composer holds other text');
}

/** Chooses the option of the question that a harness names. */
async function choose(
  target: PermittedTarget,
  name: string,
  asked: Observation,
  choices: readonly string[],
  questionMs: (screenDigest: string) => number,
): Promise<Observation> {
  const key = keyOf(asked, choices);
  if (key === undefined) throw refused('AGENT_WAITS', name, 'it asks what to do at the limit, and no option is known');
  const { screenDigest } = asked;
  const given = { screenDigest, text: '', keys: [key] };
  const first = await answerAt(target, name, given, () => questionMs(screenDigest));
  if (first.sameQuestion) {
    const marked = { screenDigest: first.observation.screenDigest, text: '', keys: ['Enter'] as const };
    await answerAt(target, name, marked, () => Number.POSITIVE_INFINITY);
  }
  const left = await observeUntil(
    target,
    leavesWithin,
    ({ reading }, unchangedMs) =>
      reading.state === 'AGENT_STATE_THINKING' || (reading.state === 'AGENT_STATE_IDLE' && unchangedMs >= settleMs),
  );
  if (left !== undefined) return left;
  throw aborted(name, 'still asks what to do at the limit');
}

/** The key of the first option that is named, in the order of the names. */
function keyOf({ capture }: Observation, choices: readonly string[]) {
  const rows = capture.rows.map((row) => withoutAttributes(row));
  for (const choice of choices) {
    const option = new RegExp(`(?:^|[^\\d])([1-9])[.)] ${choice}`, 'u');
    const digit = rows.map((row) => option.exec(row)?.[1]).findLast((found) => found !== undefined);
    const key = digits.find((one) => one === digit);
    if (key !== undefined) return key;
  }
  return undefined;
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;
