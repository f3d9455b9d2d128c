import { z } from 'zod';
import { patternFault } from './pattern-safety.ts';

/**
 * What a condition is about: a part of the screen, or other evidence, which is read as one row of text.
 *
 * - `screen`: every row
 * - `live`: the block right above the composer, down from the first row of transcript
 * - `turn`: the rows above the composer, from the last sent prompt on, including that prompt
 * - `prompt`: the composer's first row, with its glyph
 * - `composer`: what is in the composer, without glyph and frame
 * - `footer`: the rows below the composer
 * - `since`: the rows between the last known end of a turn, or the last sent prompt, and the composer; every row above
 *   the composer if neither is on the screen
 * - `unknown`: rows between the last known end of a turn and the composer that the layout does not understand, and
 *   rows there, in the composer's frame or placeholder, or in the footer that look like work or a question
 * - `lookalike`: without a composer, a row that resembles one but is drawn differently
 * - `form`: a selection that has the keyboard focus: its rows from the head to the end of the screen
 * - `tail`: the rows below the last composer, or the whole screen if there is none
 * - `typed` and `beyond`: the logical row up to the cursor, and everything after the cursor
 * - `title`, `status`, `progress`, `command`, `pane`: the capture's other fields; `pane` is `dead`, `mode`, `live`,
 *   or `live silent` if it has printed nothing for a minute
 * - `input`: `line` if the foreground program is reading a line from the terminal, `none` if not; known only of shells on
 *   Linux
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

/** A regular expression with the flag `u`. It must not backtrack without bound on any row. */
const Pattern = z.string().superRefine((source, context) => {
  const fault = patternFault(source);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: `${fault}: ${source.slice(0, 100)}` });
});

/** How the matched cells must look. `grey` is a foreground between the background and plain text. */
export const CellLook = z.enum(['dim', 'bold', 'italic', 'reverse', 'grey']);
export type CellLook = z.infer<typeof CellLook>;

/**
 * What a region is as a whole: `present` if it has any text, else `absent`. The composer is `present` if there is one
 * at all; it is `blank`, or contains a `ghost` (a placeholder or suggestion) or a `draft`. `plain` means that the whole
 * capture has no attributes, so that nothing can be decided from them.
 */
export const RegionFact = z.enum(['present', 'absent', 'blank', 'ghost', 'draft', 'plain']);
export type RegionFact = z.infer<typeof RegionFact>;

/** A condition on some row of a region, on its rows joined into one line, or on the region as a whole. */
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
 * A rule: if all of `all`, one of `any` and none of `none` hold, the screen is in `state`. Of several rules that match,
 * the one with the highest priority decides.
 */
export const ScreenRule = z.strictObject({
  /** `<harness>/<what it sees>`, unique within its harness. */
  id: z.string().regex(/^[a-z0-9-]+\/[a-z0-9-]+$/),
  priority: z.int(),
  state: z.enum(['AGENT_STATE_IDLE', 'AGENT_STATE_THINKING', 'AGENT_STATE_WAITING', 'AGENT_STATE_UNCERTAIN']),
  reason: z.string().default(''),
  /** A regular expression. Its first group, in one of the matched rows, becomes the detail of the reason. */
  detail: Pattern.optional(),
  /** Set if the question is answered with a line and Enter, and not with keys that act at once. */
  answer: z.literal('line').optional(),
  all: z.array(ScreenCondition).min(1),
  any: z.array(ScreenCondition).min(1).optional(),
  none: z.array(ScreenCondition).optional(),
});
export type ScreenRule = z.infer<typeof ScreenRule>;

/**
 * How a composer is recognized.
 *
 * - `framed`: a prompt row right below a `top` row, `more` rows, and a `bottom` row; without `bottom`, the prompt row
 *   alone with nothing but `more` rows below it
 * - `barred`: rows that begin with the same `bar`, closed by a `bottom` row below them
 * - `open`: a prompt row with `more` rows and no frame, with a row like `footer` below it; a row like `left` below it
 *   shows that the composer is no longer there
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
 * - `marked`: one of the `marks` before one option and a sibling option aligned with it, below a row like `head`. A
 *   `sealed` form has no transcript between the two, which excludes quoted ones. Options without a number count only
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
 * The rows that may be above an empty composer of an idle CLI. A row like one of `ends` ends a turn or begins a
 * conversation: rows above it no longer matter. Each row below it, or below the last sent prompt, must be like one of
 * `rows`. On a screen without either, the rows of the live block must. Near the composer, a row that shows work is unknown
 * at any indentation. A sign at its beginning shows work unless `signs` matches it; without `signs`, no sign does.
 */
export const KnownRows = z.strictObject({
  ends: z.array(Pattern),
  rows: z.array(Pattern).min(1),
  signs: Pattern.optional(),
});
export type KnownRows = z.infer<typeof KnownRows>;

/** How one CLI lays out its screen, so that it can be divided into regions. */
export const ScreenLayout = z.strictObject({
  composers: z.array(ComposerShape),
  forms: z.array(FormShape),
  /** Rows that only a transcript has. A composer or form with such a row below it is not live. */
  transcript: Pattern.optional(),
  /** Rows that continue the live block, from the composer upwards. The first other row is the last of the block. */
  live: Pattern.optional(),
  /** The row on which the transcript shows a sent prompt. */
  echo: Pattern.optional(),
  /** The known rows above the composer; without it, no row is unknown. */
  known: KnownRows.optional(),
  /** Rows below a composer which show that it is an old one, left on the screen. */
  stale: Pattern.optional(),
  /** True if the CLI paints the whole pane: rows further up than the pane's height are not its own. */
  whole: z.boolean().optional(),
  /** Placeholders in a composer, by look, by text in any look, and by text on a screen without attributes. */
  ghost: z.strictObject({ looks: z.array(CellLook), texts: z.array(Pattern), plainTexts: z.array(Pattern) }),
});
export type ScreenLayout = z.infer<typeof ScreenLayout>;

/** Everything that muster knows about one CLI's screens: plain data, so that a person can replace it by a JSON file. */
export const HarnessScreens = z.strictObject({
  harness: z.string().min(1),
  layout: ScreenLayout,
  rules: z.array(ScreenRule),
});
export type HarnessScreens = z.infer<typeof HarnessScreens>;
