import { type Observation, observeUntil, type Target } from '#actors/host/reading/observation.ts';
import type { Key } from '#contract/key.ts';
import { withoutAttributes } from '#contract/pane/attributes.ts';

/** A screen that stays as it is for so long has been painted, in milliseconds. */
const quietMs = 200;

/** How long a CLI may take to take a submitted text, in milliseconds. */
export interface Patience {
  /** How long a draft may be after an Enter. */
  readonly draft: number;
  /** For how long a screen that decides nothing, or shows rest, must stay before it is what the submission came to. */
  readonly reaction: number;
  /** The same if the screen is the one from before the paste, as it is until a slow CLI reacts. */
  readonly noReaction: number;
}

/**
 * What a pane shows once it has changed from what it was before a paste and has been painted; undefined if it never
 * does.
 */
export function shownPaste(target: Target, before: Observation, withinMs: number): Promise<Observation | undefined> {
  let seen = 0;
  return observeUntil(target, withinMs, (observation, unchangedMs) => {
    if (observation.digest === before.digest) return false;
    if (unchangedMs >= quietMs) return true;
    // A CLI at work repaints all the time: then the draft itself is what has to be seen, twice.
    if (!observation.draft) return false;
    seen += 1;
    return seen > 1 && observation.reading.state === 'AGENT_STATE_THINKING';
  });
}

/** What a pane came to after an Enter, or the draft if it is there still; undefined if the pane is gone. */
export function afterEnter(target: Target, rest: Observation | undefined, patience: Patience, withinMs: number) {
  const patient = target.clock.monotonic() + patience.draft;
  return observeUntil(target, withinMs, (observation, unchangedMs) => {
    // A person who scrolls hides the live screen.
    if (observation.capture.inMode) return false;
    if (observation.draft) return target.clock.monotonic() >= patient;
    if (observation.digest === rest?.digest) return unchangedMs >= patience.noReaction;
    const isSure = ['AGENT_STATE_THINKING', 'AGENT_STATE_WAITING'].includes(observation.reading.state);
    return isSure || unchangedMs >= patience.reaction;
  });
}

/**
 * Whether all that a key came to is that it stands behind what stood there: an answer that is typed before it is sent.
 */
export function isEcho(before: Observation, after: Observation, key: Key): boolean {
  const [was, is] = [before, after].map(({ capture }) => capture.rows.map(inkOf));
  const changed = (is ?? []).flatMap((row, at) => (row === was?.[at] ? [] : [[was?.[at] ?? '', row]]));
  const [only] = changed;
  return changed.length === 1 && only?.[1] === `${only?.[0]}${key}`;
}

/** What a row shows, without attributes and blanks. */
function inkOf(row: string): string {
  return withoutAttributes(row).replace(/\s+/g, '');
}
