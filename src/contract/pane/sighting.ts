import { z } from 'zod';

/** The maximum size of a screen that is stored with a transition, in bytes of UTF-8 with its escape sequences. */
export const screenTailBytes = 16 * 1024;

/**
 * The end of a captured screen, complete enough to read it again: rows with their SGR sequences. If rows above were
 * cut, it begins with the style in effect there.
 */
export const ScreenTail = z.object({
  /** The rows, one per line. */
  text: z.string(),
  /** How many rows were above the first one. */
  above: z.int(),
  title: z.string(),
  programStatus: z.string(),
  progress: z.string(),
  width: z.int(),
  height: z.int(),
  /** Counting from zero, on the whole screen. */
  cursor: z.object({ column: z.int(), row: z.int() }),
  command: z.string(),
  inMode: z.boolean(),
  dead: z.boolean(),
});
export type ScreenTail = z.infer<typeof ScreenTail>;

/** What was read from a pane at a transition of its agent, and the rule that decided. */
export const Sighting = z.object({
  harness: z.string(),
  /** The version of the rules that read it. */
  rules: z.string(),
  rule: z.string(),
  evidence: z.array(z.string()),
  screen: ScreenTail,
});
export type Sighting = z.infer<typeof Sighting>;
