import { z } from 'zod';
import { Key } from '#contract/key.ts';
import { harnessVersionPattern } from '#contract/pane/harness-version.ts';
import { ScreenLayout, ScreenRule } from './screen-rule.ts';

/** A harness's name, also that of its file: at most 40 characters of a to z, 0 to 9 and `-`. */
export const harnessNamePattern = /^[a-z0-9][a-z0-9-]{0,39}$/;

const Word = z.string().min(1).max(4096);

/** How a CLI is started. `{sessionId}` in an argument stands for the agent's conversation id, a UUID. */
export const HarnessLaunch = z.strictObject({
  /** The program: a name to look up on the host's PATH, or an absolute path. */
  command: Word.optional(),
  /** Arguments that make the program print its version and exit, such as `--version`. If unset, it is not asked. */
  versionArgs: z.array(z.string().max(100)).min(1).max(10).optional(),
  /** Arguments of a first start. The agent's flags follow them. */
  start: z.array(z.string()).max(100).optional(),
  /** Arguments that resume the agent's own conversation; by default those of a first start. */
  resume: z.array(z.string()).max(100).optional(),
  /** The same if the conversation's id is unknown. */
  resumeLatest: z.array(z.string()).max(100).optional(),
  /** Variables added to the environment of its pane. */
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).optional(),
  /** Further variables of the host's environment that it gets. `ACME_*` means every variable with that prefix. */
  variables: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*\*?$/))
    .max(100)
    .optional(),
  /** Set: its launch gets no hooks, through which it would report what it is doing. */
  reports: z.strictObject({ through: z.literal('nothing') }).optional(),
  /** Set: its launch does not get muster's tools. */
  tools: z.strictObject({ through: z.literal('nothing') }).optional(),
  /** The key that interrupts a turn, and how often to press it at most; by default Escape, twice. */
  interrupt: z.strictObject({ key: Key, presses: z.int().min(1).max(5) }).optional(),
  /** Whether it queues prompts while it is working. */
  takesPromptsAtWork: z.boolean().optional(),
});

/**
 * The file `rules/<harness>.json` of the state folder, in which a person changes a built-in harness or defines a new
 * one.
 */
export const HarnessFile = z.strictObject({
  /** The purpose of the file, for people. */
  about: z.string().optional(),
  /** The built-in harness that a new one is based on: it supplies what the file leaves out. */
  like: z.string().optional(),
  launch: HarnessLaunch.optional(),
  /**
   * The newest version of the CLI whose screens the rules were recorded with; by default that of the built-in rules.
   */
  recordedWith: z
    .string()
    .regex(harnessVersionPattern, 'is not a version: numbers separated by dots, such as 2.1.187')
    .optional(),
  /** Whether its CLI is a coding agent, so that its reviewers' verdicts count; by default as in `like`, else false. */
  codingAgent: z.boolean().optional(),
  /** Each part replaces the built-in one. */
  layout: ScreenLayout.partial().optional(),
  /** A rule with the id of a built-in rule replaces it; any other rule is added. */
  rules: z.array(ScreenRule).max(200).optional(),
  /** Ids of rules to disable. */
  disable: z.array(z.string()).optional(),
});
export type HarnessFile = z.infer<typeof HarnessFile>;

/** A rules file found in the folder. */
export interface FoundRuleFile {
  /** Its harness: the file's name without `.json`. */
  readonly harness: string;
  /** Its absolute path. */
  readonly path: string;
  /** Undefined if it cannot be read; `fault` then says why. */
  readonly text: string | undefined;
  readonly fault: string;
  /** Set if it comes from an installed bundle: the CLI version that its rules were recorded with. */
  readonly installed?: { readonly recordedWith: string | undefined } | undefined;
}

/** Why a rules file is refused, and at which line, counting from one. */
export interface RuleFault {
  readonly line: number;
  readonly reason: string;
}
