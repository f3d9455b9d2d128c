import { type Observation, observeUntil, type Target } from '#actors/host/reading/observation.ts';
import type { Key } from '#contract/key.ts';
import { withoutAttributes } from '#contract/pane/attributes.ts';

/** A screen that is unchanged for this long has been painted completely, in milliseconds. */
const quietMs = 200;

/** How long to wait for a CLI to accept a submitted text, in milliseconds. */
export interface WaitLimits {
  /** How long the draft may stay after Enter. */
  readonly draft: number;
  /** How long a screen that is unclear, or shows rest, must stay unchanged before it counts as the result. */
  readonly reaction: number;
  /** The same for the screen from before the paste, which a slow CLI shows until it reacts. */
  readonly noReaction: number;
}

/** The screen of a pane after a paste, once it has changed and is painted; undefined if it does not change in time. */
export function shownPaste(target: Target, before: Observation, withinMs: number): Promise<Observation | undefined> {
  let seen = 0;
  return observeUntil(target, withinMs, (observation, unchangedMs) => {
    if (observation.digest === before.digest) return false;
    if (unchangedMs >= quietMs) return true;
    // A CLI that works repaints all the time, so the screen never rests: then seeing the draft twice is enough.
    if (!observation.draft) return false;
    seen += 1;
    return seen > 1 && observation.reading.state === 'AGENT_STATE_THINKING';
  });
}

/** The screen of a pane after Enter, or still the draft; undefined if the pane is gone or does not settle in time. */
export function afterEnter(target: Target, rest: Observation | undefined, patience: WaitLimits, withinMs: number) {
  const patient = target.clock.monotonic() + patience.draft;
  return observeUntil(target, withinMs, (observation, unchangedMs) => {
    // While a person scrolls, the live screen is hidden.
    if (observation.capture.inMode) return false;
    if (observation.draft) return target.clock.monotonic() >= patient;
    if (observation.digest === rest?.digest) return unchangedMs >= patience.noReaction;
    const isSure = ['AGENT_STATE_THINKING', 'AGENT_STATE_WAITING'].includes(observation.reading.state);
    return isSure || unchangedMs >= patience.reaction;
  });
}

/** Whether the only effect of a key is that its character was appended to a row: an answer that needs Enter. */
export function isEcho(before: Observation, after: Observation, key: Key): boolean {
  const [was, is] = [before, after].map(({ capture }) => capture.rows.map(inkOf));
  const changed = (is ?? []).flatMap((row, at) => (row === was?.[at] ? [] : [[was?.[at] ?? '', row]]));
  const [only] = changed;
  return changed.length === 1 && only?.[1] === `${only?.[0]}${key}`;
}

/** The text of a row, without attributes and blanks. */
function inkOf(row: string): string {
  return withoutAttributes(row).replace(/\s+/g, '');
}
