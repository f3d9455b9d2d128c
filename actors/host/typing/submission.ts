import type { Observation } from '#actors/host/reading/observation.ts';
import { aborted, expectWritten, type PermittedTarget } from './pane-mutex.ts';
import { afterEnter, shownPaste, type WaitLimits } from './typing.ts';
import { typeWithin } from './typing-attempt.ts';

const patience: WaitLimits = { draft: 2_500, reaction: 1_000, noReaction: 3_000 };
const maxEnters = 2;
/** How long an Enter may take to have a visible effect, in milliseconds. */
const enterWithin = 6_000;

/** A text to paste into a composer. */
interface Paste {
  readonly text: string;
  /** The stamp that the pasting command gives the pane. */
  readonly stamp?: string;
  /** The screen before the paste. */
  readonly before: Observation;
  /** How long the text may take to appear, in milliseconds. */
  readonly withinMs: number;
}

/**
 * Pastes a text, and returns the screen that shows it; undefined if it does not appear in time.
 * @throws FAILED_PRECONDITION when nothing could be pasted; UNAVAILABLE when it was too late to paste
 */
export async function pasteDraft(
  target: PermittedTarget,
  name: string,
  { text, stamp, before, withinMs }: Paste,
): Promise<Observation | undefined> {
  const paste = (until: number) => target.terminal.paste(target.paneId, text, stamp, until);
  expectWritten(await typeWithin(target.attempt, paste), name);
  return shownPaste(target, before, withinMs);
}

/** A draft to submit. */
interface Submission {
  /** The screen before the paste; undefined if it is unknown. */
  readonly before: Observation | undefined;
  readonly drafted: Observation;
  /** Called before each Enter. @throws Failure to refuse a draft, because it is not the one that was pasted */
  readonly check?: (drafted: Observation) => void;
  /** The stamp that the submitting command gives the pane. */
  readonly stamp?: string;
  /** Called after the first Enter. */
  readonly entered?: () => void;
}

/**
 * Presses Enter, a second time if the draft is still shown, and returns the resulting screen.
 * @throws ABORTED when the draft was not accepted
 */
export async function submit(
  target: PermittedTarget,
  name: string,
  { before, drafted, check, stamp, entered }: Submission,
): Promise<Observation> {
  let observation = drafted;
  for (let enters = 0; enters < maxEnters; enters += 1) {
    if (!observation.draft) throw aborted(name, 'does not show the prompt as a draft, so it was not submitted');
    check?.(observation);
    const written = await typeWithin(target.attempt, (until) => target.terminal.submit(target.paneId, stamp, until));
    if (written === 'late')
      throw aborted(name, 'was delayed before it submitted the prompt, which is still in its composer');
    expectWritten(written, name);
    if (enters === 0) entered?.();
    const after = await afterEnter(target, before, patience, enterWithin);
    if (!after) throw aborted(name, 'ended or kept changing after the prompt was submitted');
    if (!after.draft) return after;
    observation = after;
  }
  throw aborted(name, 'did not accept the prompt, which is still in its composer');
}
