import { lookUntil, type Sight, type Spot } from '#actors/host/reading/sight.ts';
import type { Key } from '#contract/key.ts';

/** A screen that stays as it is for so long has been painted, in milliseconds. */
const quietMs = 200;

/** How long a CLI may take to take a submitted text, in milliseconds. */
export interface Patience {
  /** How long a draft may stand after an Enter. */
  readonly draft: number;
  /** For how long a screen that decides nothing, or shows rest, must stay before it is what the submission came to. */
  readonly reaction: number;
  /** The same where the screen is the very one from before the paste, as it is until a slow CLI reacts. */
  readonly noReaction: number;
}

/** What a pane shows once it has changed from what it was before a paste and has been painted; undefined where it never does. */
export function shownPaste(spot: Spot, before: Sight, withinMs: number): Promise<Sight | undefined> {
  let seen = 0;
  return lookUntil(spot, withinMs, (sight, unchangedMs) => {
    if (sight.digest === before.digest) return false;
    if (unchangedMs >= quietMs) return true;
    // A CLI at work repaints all the time: then the draft itself is what has to be seen, twice.
    if (!sight.draft) return false;
    seen += 1;
    return seen > 1 && sight.reading.state === 'AGENT_STATE_THINKING';
  });
}

/** What a pane came to after an Enter, or the draft where it stands there still; undefined where the pane is gone. */
export function afterEnter(spot: Spot, rest: Sight | undefined, patience: Patience, withinMs: number) {
  const patient = spot.clock.monotonic() + patience.draft;
  return lookUntil(spot, withinMs, (sight, unchangedMs) => {
    // A person who scrolls hides the live screen.
    if (sight.capture.inMode) return false;
    if (sight.draft) return spot.clock.monotonic() >= patient;
    if (sight.digest === rest?.digest) return unchangedMs >= patience.noReaction;
    const isSure = ['AGENT_STATE_THINKING', 'AGENT_STATE_WAITING'].includes(sight.reading.state);
    return isSure || unchangedMs >= patience.reaction;
  });
}

/** Whether all that a key came to is that it stands behind what stood there: an answer that is typed before it is sent. */
export function isEcho(before: Sight, after: Sight, key: Key): boolean {
  const [was, is] = [before, after].map(({ capture }) => capture.rows.map(inkOf));
  const moved = (is ?? []).flatMap((row, at) => (row === was?.[at] ? [] : [[was?.[at] ?? '', row]]));
  const [only] = moved;
  return moved.length === 1 && only?.[1] === `${only?.[0]}${key}`;
}

/** What a row shows, without attributes and blanks. */
function inkOf(row: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: SGR sequences begin with an escape character
  return row.replace(/\x1b\[[0-9;:]*m/g, '').replace(/\s+/g, '');
}
