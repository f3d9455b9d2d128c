import { z } from 'zod';
import { enumeration, message, text, words } from '#contract/message.ts';

/** What a rule does with a question that it matches. */
export const ApprovalAction = enumeration('approval.v1.ApprovalAction', {
  APPROVAL_ACTION_UNSPECIFIED: 'Not given; never stored.',
  APPROVAL_ACTION_ANSWER: 'Takes `choice`, or else the choice that agrees once.',
  APPROVAL_ACTION_ASK: 'Leaves it to a person.',
  APPROVAL_ACTION_REFUSE: 'Takes the choice that refuses. Counts before all other rules.',
});
export type ApprovalAction = z.infer<typeof ApprovalAction>;

/** How long a pattern may be, in characters. */
const maxPattern = 1_000;

/** What a part of a question must be: exactly one of these fields. */
export const ApprovalPattern = message('approval.v1.ApprovalPattern', {
  exact: [1, text(8_192).min(1), 'Exactly this text.'],
  glob: [
    2,
    text(maxPattern).min(1),
    'A glob. Of a command, each word is one, and a last `*` stands for any further words, as in `git log *`.',
  ],
  expression: [3, text(maxPattern).min(1), 'A regular expression that must match all of it.'],
});
export type ApprovalPattern = z.infer<typeof ApprovalPattern>;

/** How many conditions of one kind a rule may list, and how many rules a workflow may have. */
const maxListed = 20;
export const maxRules = 200;
const word = text(40).regex(/^[a-z][a-z-]*$/, 'must be a word of the letters a to z and -');

/** One rule: the conditions, which must all hold, and what is done then. */
export const ApprovalRule = message('approval.v1.ApprovalRule', {
  action: [1, ApprovalAction, 'What is done with a question that it matches. Required.'],
  forms: [
    2,
    z.array(word).max(maxListed),
    'The kinds of questions it is for, such as `plan`. Empty: `permission` alone, so nothing else is answered unless named.',
  ],
  tools: [3, z.array(word).max(maxListed), 'What the question would use, such as `shell` or `write`. Empty: anything.'],
  command: [4, ApprovalPattern, 'The command. Only `exact` agrees to more than one simple command.'],
  path: [
    5,
    ApprovalPattern,
    'The file: absolute, or relative to the agent’s worktree. Outside of it, only absolute patterns match.',
  ],
  host: [6, ApprovalPattern, 'The host that is fetched from, such as `*.example.com`.'],
  text: [
    7,
    ApprovalPattern,
    'All words of the question, row by row. Of a permission for anything but a command, a file or a host, only `exact` agrees.',
  ],
  choice: [8, words(500), 'The choice to take, as the screen shows it. Unset: the one that agrees once.'],
  note: [9, text(500), 'Why the rule exists, for people.'],
});
export type ApprovalRule = z.infer<typeof ApprovalRule>;

/** What the rules decide about a question, and which rule did. */
export const ApprovalVerdict = message('approval.v1.ApprovalVerdict', {
  action: [1, ApprovalAction, 'What is done. A question that no rule matches is left to a person.'],
  rule: [2, z.int32(), 'The rule that decided, counting from one. 0 if none matched.'],
  choice: [3, z.string(), 'The choice that is taken, as the screen shows it. Unset if none is.'],
  reason: [4, z.string(), 'Why, in words.'],
});
export type ApprovalVerdict = z.infer<typeof ApprovalVerdict>;
