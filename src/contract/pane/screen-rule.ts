import { z } from 'zod';
import { patternFault } from './pattern-safety.ts';

/**
 * Where a condition looks. The first eleven are parts of the screen, the rest are witnesses beside it, each read as one
 * row of text.
 *
 * - `screen`: every row
 * - `live`: the block right above the composer, down from the first row of transcript
 * - `turn`: the rows above the composer from the last prompt that was sent on, that prompt included
 * - `prompt`: the composer's first row, with its glyph
 * - `composer`: what is in the composer, without glyph and frame
 * - `footer`: the rows below the composer
 * - `since`: the rows from the last known end of a turn, or the last prompt that was sent, to the composer, both left out;
 *   every row above the composer if neither is on the screen
 * - `unknown`: rows between the last known end of a turn and the composer that the layout does not understand
 * - `lookalike`: where there is no composer, a row that looks like one, though it is drawn in another way
 * - `form`: a selection that holds the keyboard: its rows from the head to the end of the screen
 * - `tail`: the rows below the last composer, or the whole screen if there is none
 * - `typed` and `beyond`: the logical row up to the cursor, and everything after the cursor
 * - `title`, `status`, `progress`, `command`, `pane`: the capture's other fields; `pane` is `dead`, `mode` or `live`
 * - `input`: `line` where the program in the foreground waits for a line to be typed, `none` where it does not; known of
 *   shells on Linux alone
 */
export const ScreenRegion = z.enum([
  'screen',
  'live',
  'turn',
  'prompt',
  'composer',
  'footer',
  'since',
  'unknown',
  'lookalike',
  'form',
  'tail',
  'typed',
  'beyond',
  'title',
  'status',
  'progress',
  'command',
  'pane',
  'input',
]);
export type ScreenRegion = z.infer<typeof ScreenRegion>;

/** A regular expression with the flag `u`, which must not take for ever on any row. */
const Pattern = z.string().superRefine((source, context) => {
  const fault = patternFault(source);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: `${fault}: ${source.slice(0, 100)}` });
});

/** How the matched cells must look. `grey` is a foreground between the background and plain text. */
export const CellLook = z.enum(['dim', 'bold', 'italic', 'reverse', 'grey']);
export type CellLook = z.infer<typeof CellLook>;

/**
 * What a region may be as a whole: `present` if it has any text, else `absent`. The composer is `present` if there
 * is one at all; it is `blank`, or holds a `ghost` (a placeholder or suggestion), or a `draft`. `plain` is said of a
 * whole capture that carries no attributes, so that attributes say nothing.
 */
export const RegionFact = z.enum(['present', 'absent', 'blank', 'ghost', 'draft', 'plain']);
export type RegionFact = z.infer<typeof RegionFact>;

/** One thing that must be so: a row, the region's rows joined into one line, or the region as a whole. */
export const ScreenCondition = z.strictObject({
  in: ScreenRegion,
  /** A regular expression that some row must match. */
  row: Pattern.optional(),
  /** A regular expression that the rows, joined by single spaces, must match: for phrases that may wrap. */
  text: Pattern.optional(),
  is: RegionFact.optional(),
  /** How the matched cells of `row` must look: the first group, or the whole match if there is none. */
  look: CellLook.optional(),
  /** Only the last so many rows that are not blank. */
  last: z.int().positive().optional(),
});
export type ScreenCondition = z.infer<typeof ScreenCondition>;

/**
 * A rule: where all of `all`, one of `any` and none of `none` hold, the screen is in `state`. The highest priority
 * decides.
 */
export const ScreenRule = z.strictObject({
  /** `<harness>/<what it sees>`, unique within its harness. */
  id: z.string().regex(/^[a-z0-9-]+\/[a-z0-9-]+$/),
  priority: z.int(),
  state: z.enum(['AGENT_STATE_IDLE', 'AGENT_STATE_THINKING', 'AGENT_STATE_WAITING', 'AGENT_STATE_UNCERTAIN']),
  reason: z.string().default(''),
  /** A regular expression whose first group, in one of the rows that matched, is what the reason adds. */
  detail: Pattern.optional(),
  /** What a question is answered by, where that is a line and Enter; keys that act at once if it is left out. */
  answer: z.literal('line').optional(),
  all: z.array(ScreenCondition).min(1),
  any: z.array(ScreenCondition).min(1).optional(),
  none: z.array(ScreenCondition).optional(),
});
export type ScreenRule = z.infer<typeof ScreenRule>;

/**
 * Where a composer may stand.
 *
 * - `framed`: a prompt row right below a `top` row, `more` rows, and a `bottom` row; without `bottom`, the prompt row
 *   alone with nothing but `more` rows below it
 * - `barred`: rows that begin with the same `bar`, closed by a `bottom` row below them
 * - `open`: a prompt row with `more` rows and no frame, with a row like `footer` below it; a row like `left` below it shows
 *   that something has taken its place
 * - `seated`: the row two above the last row like `bottom`
 */
export const ComposerShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('framed'),
    top: Pattern,
    prompt: Pattern,
    more: Pattern,
    bottom: Pattern.optional(),
  }),
  z.strictObject({ kind: z.literal('barred'), bar: Pattern, bottom: Pattern, base: Pattern }),
  z.strictObject({
    kind: z.literal('open'),
    prompt: Pattern,
    more: Pattern,
    footer: Pattern.optional(),
    left: Pattern.optional(),
  }),
  z.strictObject({ kind: z.literal('seated'), bottom: Pattern }),
]);
export type ComposerShape = z.infer<typeof ComposerShape>;

/**
 * What a live selection looks like.
 *
 * - `marked`: one of the `marks` before one option and a sibling option in line with it, below a row like `head`; a
 *   `sealed` one has no transcript between the two, so that a quoted one is none. Options without a number count only
 *   above a row of keys, or above a row like `foot`
 * - `block`: the last unbroken run of rows like `row`
 */
export const FormShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('marked'),
    marks: z.string().min(1),
    head: Pattern.optional(),
    foot: Pattern.optional(),
    sealed: z.boolean().default(false),
  }),
  z.strictObject({ kind: z.literal('block'), row: Pattern }),
]);
export type FormShape = z.infer<typeof FormShape>;

/**
 * What is understood above an empty composer. A row like one of `ends` ends a turn, or begins a conversation: what stands
 * above it is over. Below it, or below the last prompt that was sent, each row must be like one of `rows`. On a screen
 * without such a row, the live block must.
 */
export const KnownRows = z.strictObject({ ends: z.array(Pattern), rows: z.array(Pattern).min(1) });
export type KnownRows = z.infer<typeof KnownRows>;

/** How one CLI lays out its screen: enough to cut a screen into regions. */
export const ScreenLayout = z.strictObject({
  composers: z.array(ComposerShape),
  forms: z.array(FormShape),
  /** Rows that only a transcript has. Neither a composer nor a form has one below itself. */
  transcript: Pattern.optional(),
  /**
   * Rows that the live block may run through, from the composer upwards; the first other row ends it and belongs to it.
   */
  live: Pattern.optional(),
  /** The row on which the transcript shows a prompt that was sent. */
  echo: Pattern.optional(),
  /** What is known of the rows above the composer; without it, no row is unknown. */
  known: KnownRows.optional(),
  /** Rows below a composer that show it to be an old one, left behind on the screen. */
  stale: Pattern.optional(),
  /** True if the CLI paints the whole pane: what is above as many rows as the pane is high is not its own. */
  whole: z.boolean().optional(),
  /** What in a composer is not typed: a look, texts in any look, and texts on a screen without any attributes. */
  ghost: z.strictObject({ looks: z.array(CellLook), texts: z.array(Pattern), plainTexts: z.array(Pattern) }),
});
export type ScreenLayout = z.infer<typeof ScreenLayout>;

/** All that is known of one CLI's screens. It is plain data, so that a person can replace it by a JSON file. */
export const HarnessScreens = z.strictObject({
  harness: z.string().min(1),
  layout: ScreenLayout,
  rules: z.array(ScreenRule),
});
export type HarnessScreens = z.infer<typeof HarnessScreens>;
