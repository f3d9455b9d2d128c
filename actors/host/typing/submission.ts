import type { Sight } from '#actors/host/reading/sight.ts';
import { aborted, expectWritten, type PermittedSpot } from './pane-turn.ts';
import { typeWithin } from './traces.ts';
import { afterEnter, type Patience } from './typing.ts';

const patience: Patience = { draft: 2_500, reaction: 1_000, noReaction: 3_000 };
const entersMost = 2;
/** How long an Enter may take to show, in milliseconds. */
const enterWithin = 6_000;

/** What is submitted, and how it is kept in mind. */
interface Submission {
  /** The screen from before the paste; undefined where nobody saw it. */
  readonly before: Sight | undefined;
  readonly drafted: Sight;
  /** Refuses by throwing what must not be submitted: another draft than the one that was pasted. */
  readonly check?: (drafted: Sight) => void;
  /** What the pane is stamped with in the step that submits. */
  readonly stamp?: string;
  /** Called once Enter was pressed for the first time. */
  readonly entered?: () => void;
}

/**
 * Presses Enter, once more where the draft stands there still, and gives what the pane came to.
 * @throws Failure `aborted` where the draft was not taken
 */
export async function submit(
  spot: PermittedSpot,
  name: string,
  { before, drafted, check, stamp, entered }: Submission,
): Promise<Sight> {
  let sight = drafted;
  for (let enters = 0; enters < entersMost; enters += 1) {
    if (!sight.draft) throw aborted(name, 'does not show the prompt as a draft, so that it was not submitted');
    check?.(sight);
    const written = await typeWithin(spot.traces, (until) => spot.terminal.submit(spot.paneId, stamp, until));
    if (written === 'late')
      throw aborted(name, 'was held up before the prompt was submitted, which stands in its composer');
    expectWritten(written, name);
    if (enters === 0) entered?.();
    const after = await afterEnter(spot, before, patience, enterWithin);
    if (!after) throw aborted(name, 'ended or did not come to rest after the prompt was submitted');
    if (!after.draft) return after;
    sight = after;
  }
  throw aborted(name, 'did not take the prompt, which stands in its composer');
}
