import { z } from 'zod';
import { Key } from '#contract/key.ts';
import { harnessVersionPattern } from '#contract/pane/harness-version.ts';
import { ScreenLayout, ScreenRule } from './screen-rule.ts';

/** A harness's name, which is also the name of its file: at most 40 of a to z, 0 to 9 and `-`. */
export const harnessNamePattern = /^[a-z0-9][a-z0-9-]{0,39}$/;

const Word = z.string().min(1).max(4096);

/** How a CLI is started. `{sessionId}` in an argument stands for the agent's conversation id, a UUID. */
export const HarnessLaunch = z.strictObject({
  /** The program: a name that is looked up on the host's PATH, or an absolute path. */
  command: Word.optional(),
  /** Arguments by which the program prints its version and ends, such as `--version`; without them it is not asked. */
  versionArgs: z.array(z.string().max(100)).min(1).max(10).optional(),
  /** Arguments of a first start; the agent's flags follow them. */
  start: z.array(z.string()).max(100).optional(),
  /** Arguments that take the agent's own conversation up again; those of a first start if they are left out. */
  resume: z.array(z.string()).max(100).optional(),
  /** The same if the conversation's id is not known. */
  resumeLatest: z.array(z.string()).max(100).optional(),
  /** Added to the environment of its pane. */
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).optional(),
  /** Variables of the person's environment that it is given beside those that all are; `ACME_*`: all that begin so. */
  variables: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*\*?$/))
    .max(100)
    .optional(),
  /** Through nothing: its launch gets no hooks by which it says itself what it is about. */
  reports: z.strictObject({ through: z.literal('nothing') }).optional(),
  /** Through nothing: its launch is not given muster's tools. */
  tools: z.strictObject({ through: z.literal('nothing') }).optional(),
  /** The key that ends a turn under way, and how often it is pressed at most; Escape, twice, if it is left out. */
  interrupt: z.strictObject({ key: Key, presses: z.int().min(1).max(5) }).optional(),
  /** Whether it takes a prompt while it is at work, to be done next. */
  takesPromptsAtWork: z.boolean().optional(),
});

/**
 * What people say of a harness in `rules/<harness>.json` of the state folder: changes to one that is built in, or all
 * of a new one.
 */
export const HarnessFile = z.strictObject({
  /** For people: what the file is for. */
  about: z.string().optional(),
  /** A built-in harness that a new one is like: what the file leaves out is taken from there. */
  like: z.string().optional(),
  launch: HarnessLaunch.optional(),
  /** The newest version of the CLI whose screens the rules were recorded with; that of the built-in ones if left out. */
  recordedWith: z
    .string()
    .regex(harnessVersionPattern, 'is no version: numbers between dots, such as 2.1.187')
    .optional(),
  /**
   * Whether a coding agent is behind it, so that its reviewers' verdicts count; as in `like` if it is left out, else
   * not.
   */
  codingAgent: z.boolean().optional(),
  /** Each part that is given is in the place of the one that is built in. */
  layout: ScreenLayout.partial().optional(),
  /** A rule with an id that already exists takes that rule's place; any other one is added. */
  rules: z.array(ScreenRule).max(200).optional(),
  /** Ids of rules that do not hold. */
  disable: z.array(z.string()).optional(),
});
export type HarnessFile = z.infer<typeof HarnessFile>;

/** A file of rules as it was found in the folder. */
export interface FoundRuleFile {
  /** The harness that it is of: the file's name without `.json`. */
  readonly harness: string;
  /** Its absolute path. */
  readonly path: string;
  /** Undefined if it cannot be read, which `fault` then says. */
  readonly text: string | undefined;
  readonly fault: string;
  /** Set if it is of an installed bundle and not a person's own: what its rules were recorded with. */
  readonly installed?: { readonly recordedWith: string | undefined } | undefined;
}

/** Why a rules file is refused, and where: the line counts from one. */
export interface RuleFault {
  readonly line: number;
  readonly reason: string;
}
