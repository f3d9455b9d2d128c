import { z } from 'zod';
import { AgentState } from '#contract/agent/agent-state.ts';
import { Key } from '#contract/key.ts';
import { enumeration, message, text } from '#contract/message.ts';

/** How the question on a screen is answered. */
export const AnswerKind = enumeration('agent.v1.AnswerKind', {
  ANSWER_KIND_UNSPECIFIED: 'There is no question.',
  ANSWER_KIND_KEY: 'With keys, each of which acts at once.',
  ANSWER_KIND_LINE: 'With a line that Enter sends.',
  ANSWER_KIND_SECRET: 'With such a line that must not be shown: a password.',
});

export type AnswerKind = z.infer<typeof AnswerKind>;

/** What was read from a pane, and why. */
export const PaneReading = message('agent.v1.PaneReading', {
  state: [1, AgentState, 'What the agent is doing, according to its screen.'],
  rule: [2, z.string(), 'The id of the rule that decided, or `none`.'],
  reason: [3, z.string(), 'The kind of state in a word, such as `permission`.'],
  detail: [4, z.string(), 'What the screen adds to the reason, such as when a limit ends.'],
  evidence: [
    5,
    z.array(z.string()),
    'The rows that the rule matched, and other evidence by name, such as `command: bash`.',
  ],
  answer: [6, AnswerKind, 'How its question is answered. Unset if there is none.'],
});
export type PaneReading = z.infer<typeof PaneReading>;

/** The content of a pane. */
export const PaneScreen = message('agent.v1.PaneScreen', {
  text: [1, z.string(), 'The visible rows, one per line, with SGR escape sequences if attributes were requested.'],
  title: [2, z.string(), 'The title that the program gave its window.'],
  width: [3, z.int32(), 'The width in columns.'],
  height: [4, z.int32(), 'The height in rows.'],
  cursorColumn: [5, z.int32(), 'The column of the cursor, counting from zero.'],
  cursorRow: [6, z.int32(), 'The row of the cursor, counting from zero.'],
  command: [7, z.string(), 'The name of the process in the foreground.'],
  programStatus: [8, z.string(), 'The payload of the last OSC 7501 sequence.'],
  progress: [9, z.string(), 'The payload of the last OSC 9;4 sequence.'],
  inMode: [10, z.boolean(), 'Whether a person is scrolling in the pane.'],
  dead: [11, z.boolean(), 'Whether the pane’s process has ended.'],
  rowsAbove: [12, z.int32(), 'How many rows were above `text`, if only the end of the screen was kept.'],
});
export type PaneScreen = z.infer<typeof PaneScreen>;

/** A rule that matched or nearly matched, and did not decide. */
export const LostRule = message('agent.v1.LostRule', {
  rule: [1, z.string(), 'The id of a rule that matched, or failed by one condition, and did not decide.'],
  why: [2, z.string(), 'Why it did not decide.'],
});

/** Why a rules file is refused. */
export const RuleFileFault = message('agent.v1.RuleFileFault', {
  line: [1, z.int32(), 'The line of the file, counting from one.'],
  reason: [2, z.string(), 'What is wrong there.'],
});

/** The rules that read a pane. */
export const RuleSet = message('agent.v1.RuleSet', {
  harness: [1, z.string(), 'The harness whose screens the rules read.'],
  version: [2, z.string(), 'Changes whenever the rules do.'],
  file: [3, z.string(), 'The file on the agent’s host that changes the rules. Unset without one.'],
  faults: [4, z.array(RuleFileFault), 'Why that file is refused. Empty if it is valid.'],
  instead: [5, z.string(), 'Which rules apply instead while the file is refused.'],
  recordedWith: [
    6,
    z.string(),
    'The newest version of the CLI whose screens the rules were recorded with. Unset if unknown.',
  ],
});
export type RuleSet = z.infer<typeof RuleSet>;

/** One transition of an agent's state. If a pane caused it, it has the rule and the evidence. */
export const AgentMove = message('agent.v1.AgentMove', {
  ordinal: [1, z.int32(), 'The number of the agent’s transition, counting from one.'],
  at: [2, z.string(), 'When the state changed: RFC 3339, UTC.'],
  from: [3, AgentState, 'The state before.'],
  to: [4, AgentState, 'The state after.'],
  reason: [5, z.string(), 'Why, in words.'],
  rule: [6, z.string(), 'The id of the rule that decided. Unset if no pane was read.'],
  evidence: [
    7,
    z.array(z.string()),
    'The rows that the rule matched, and other evidence by name, such as `command: bash`.',
  ],
  harness: [8, z.string(), 'The harness whose rules decided.'],
  rulesVersion: [9, z.string(), 'The version of the rules that decided.'],
  screen: [10, PaneScreen, 'The end of the screen, with SGR escape sequences. Only with VIEW_FULL.'],
});
export type AgentMove = z.infer<typeof AgentMove>;

/** The source of an explanation: the current pane, or the last transition on record. */
export const ExplanationSource = enumeration('agent.v1.ExplanationSource', {
  EXPLANATION_SOURCE_UNSPECIFIED: 'Unknown; never sent.',
  EXPLANATION_SOURCE_LIVE: 'The pane, as just read.',
  EXPLANATION_SOURCE_RECORD: 'The last transition on record.',
});

/** One piece of input from a person: exactly one of these fields. */
export const PaneInput = message('agent.v1.PaneInput', {
  text: [1, text(1_000), 'Characters, typed one after the other.'],
  key: [2, Key, 'A key by its name, such as `Enter` or `C-c`.'],
  paste: [3, text(50_000), 'Text that is pasted in one piece, including line breaks.'],
});
export type PaneInput = z.infer<typeof PaneInput>;
