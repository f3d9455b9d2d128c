import { z } from 'zod';
import { Key } from '#contract/key.ts';
import { message } from '#contract/message.ts';

/** A choice of a question, as the screen shows it, and how it is taken. */
export const AskedChoice = z.object({
  label: z.string().max(500),
  /** The keys that take it, in order. */
  keys: z.array(Key).min(1).max(4),
});
export type AskedChoice = z.infer<typeof AskedChoice>;

/** The maximum length of a text that is read from a question, in characters. */
const longest = 8_192;
const Line = z.string().max(longest);

/** What a question for a permission would use. */
export const questionTools = ['shell', 'write', 'read', 'fetch', 'other'] as const;

/** A question as it was read from a screen: what is asked about what. Whatever could not be read is absent. */
export const ReadQuestion = z.object({
  /** The kind of question: `permission`, `question`, `plan`, `trust`, `sign-in`, `payment`, or another reason to wait. */
  form: z.string().max(40),
  /** What it would use, if it asks for permission: one of `questionTools`. */
  tool: z.string().max(40),
  /** The command that it would run. */
  command: Line.optional(),
  /** The file that it would read or write, as the screen names it. */
  path: Line.optional(),
  /** The host that it would fetch from. */
  host: z.string().max(253).optional(),
  /** All of its words, from its heading to its first choice, row by row. */
  text: Line,
  /** Whether it was read completely, so that nothing of it was cut off, wrapped, or may belong to something else. */
  whole: z.boolean(),
  choices: z.array(AskedChoice).max(20),
  /** The choice that agrees this once, and the one that refuses, by their place in `choices`. */
  yes: z.int().min(0).optional(),
  no: z.int().min(0).optional(),
});
export type ReadQuestion = z.infer<typeof ReadQuestion>;

/** A question as clients see it. */
export const AskedQuestion = message('approval.v1.AskedQuestion', {
  form: [1, z.string(), 'What kind of question it is, such as `permission`, `plan`, `trust` or `payment`.'],
  tool: [
    2,
    z.string(),
    'What it would use: `shell`, `write`, `read`, `fetch` or `other`. Empty unless it asks for permission.',
  ],
  command: [3, z.string(), 'The command that it would run. Unset if none was read.'],
  path: [4, z.string(), 'The file that it would read or write, as the screen names it. Unset if none was read.'],
  host: [5, z.string(), 'The host that it would fetch from. Unset if none was read.'],
  text: [6, z.string(), 'All of its words, row by row.'],
  whole: [7, z.boolean(), 'Whether it was read completely. Otherwise no rule agrees to it.'],
  choices: [8, z.array(z.string()), 'The choices that a rule could take, as the screen shows them.'],
  resolvedPath: [9, z.string(), 'The absolute path of the file, with links followed. Unset if it is not known.'],
});
export type AskedQuestion = z.infer<typeof AskedQuestion>;
