import type { Capture } from '#contract/pane/capture.ts';

/** The frames of one moment at work, and how many of them show that the work still runs. */
interface WorkFrames {
  readonly frames: readonly Capture[];
  readonly moving: readonly Capture[];
}

/**
 * The frames of work in each size, without those that may show its end. If the screen animates in any terminal size,
 * keep only frames followed by a different one; otherwise keep all.
 */
export function framesAtWork(sizes: readonly (readonly Capture[])[]): Capture[] {
  const found = sizes.map((frames): WorkFrames => ({ frames, moving: beforeLast(frames) }));
  const moves = found.some(({ moving }) => moving.length > 0);
  return found.flatMap(({ frames, moving }) => (moves ? moving : frames));
}

/** The frames before the screen stops changing. */
function beforeLast(frames: readonly Capture[]): Capture[] {
  const texts = frames.map(({ rows, title }) => JSON.stringify([rows, title]));
  return frames.filter((_, at) => texts.slice(at + 1).some((text) => text !== texts[at]));
}
