import type { Observation } from '#actors/host/reading/observation.ts';
import { aborted, expectWritten, type PermittedTarget } from './pane-mutex.ts';
import { typeWithin } from './traces.ts';
import { afterEnter, type Patience, shownPaste } from './typing.ts';

const patience: Patience = { draft: 2_500, reaction: 1_000, noReaction: 3_000 };
const maxEnters = 2;
/** How long an Enter may take to show, in milliseconds. */
const enterWithin = 6_000;

/** What is pasted into a composer, and for how long the pane may keep from showing it. */
interface Paste {
  readonly text: string;
  /** What the pane is stamped with in the step that pastes. */
  readonly stamp?: string;
  /** The screen from before the paste. */
  readonly before: Observation;
  readonly withinMs: number;
}

/**
 * Pastes a text, and returns the screen that shows it; undefined if none does in time.
 * @throws FAILED_PRECONDITION when nothing could be pasted
 */
export async function pasteDraft(
  target: PermittedTarget,
  name: string,
  { text, stamp, before, withinMs }: Paste,
): Promise<Observation | undefined> {
  const paste = (until: number) => target.terminal.paste(target.paneId, text, stamp, until);
  expectWritten(await typeWithin(target.traces, paste), name);
  return shownPaste(target, before, withinMs);
}

/** What is submitted, and how it is kept in mind. */
interface Submission {
  /** The screen from before the paste; undefined if nobody saw it. */
  readonly before: Observation | undefined;
  readonly drafted: Observation;
  /** Refuses by throwing what must not be submitted: another draft than the one that was pasted. */
  readonly check?: (drafted: Observation) => void;
  /** What the pane is stamped with in the step that submits. */
  readonly stamp?: string;
  /** Called once Enter was pressed for the first time. */
  readonly entered?: () => void;
}

/**
 * Presses Enter, again if the draft is there still, and returns what the pane came to.
 * @throws ABORTED when the draft was not taken
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
    const written = await typeWithin(target.traces, (until) => target.terminal.submit(target.paneId, stamp, until));
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
