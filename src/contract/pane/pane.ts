import { z } from 'zod';
import { AgentState } from '#contract/agent/agent-state.ts';
import { Key } from '#contract/key.ts';
import { enumeration, message, text } from '#contract/message.ts';

/** How what a pane asks is answered. */
export const AnswerKind = enumeration('agent.v1.AnswerKind', {
  ANSWER_KIND_UNSPECIFIED: 'Nothing is asked.',
  ANSWER_KIND_KEY: 'By keys, each of which acts at once.',
  ANSWER_KIND_LINE: 'By a line that Enter sends.',
  ANSWER_KIND_SECRET: 'By such a line, which nobody else should see: a password.',
});

export type AnswerKind = z.infer<typeof AnswerKind>;

/** What a pane was read as, and why. */
export const PaneReading = message('agent.v1.PaneReading', {
  state: [1, AgentState, 'What the screen says the agent is doing.'],
  rule: [2, z.string(), 'Id of the rule that decided, or `none`.'],
  reason: [3, z.string(), 'A short word for the kind of state, such as `permission`.'],
  detail: [4, z.string(), 'What the screen says of the reason, such as when a limit ends.'],
  evidence: [
    5,
    z.array(z.string()),
    'The rows that the rule matched; what stands beside the screen is named, such as `command: bash`.',
  ],
  answer: [6, AnswerKind, 'How its question is answered. Unset if it asks nothing.'],
});
export type PaneReading = z.infer<typeof PaneReading>;

/** What a pane shows and sends. */
export const PaneScreen = message('agent.v1.PaneScreen', {
  text: [1, z.string(), 'The visible rows, one a line, with SGR escape sequences where attributes were asked for.'],
  title: [2, z.string(), 'Title that the program gave its window.'],
  width: [3, z.int32(), 'Columns of the pane.'],
  height: [4, z.int32(), 'Rows of the pane.'],
  cursorColumn: [5, z.int32(), 'Column of the cursor, counting from zero.'],
  cursorRow: [6, z.int32(), 'Row of the cursor, counting from zero.'],
  command: [7, z.string(), 'Name of the process in the foreground.'],
  programStatus: [8, z.string(), 'Payload of the last OSC 7501 sequence.'],
  progress: [9, z.string(), 'Payload of the last OSC 9;4 sequence.'],
  inMode: [10, z.boolean(), 'Whether a person is scrolling in the pane.'],
  dead: [11, z.boolean(), 'Whether the pane’s process has ended.'],
  rowsAbove: [12, z.int32(), 'How many rows were above `text`, where only the end of a screen was kept.'],
});
export type PaneScreen = z.infer<typeof PaneScreen>;

/** A rule that matched, or failed by one condition, and did not decide. */
export const LostRule = message('agent.v1.LostRule', {
  rule: [1, z.string(), 'Id of a rule that matched, or failed by one condition, and did not decide.'],
  why: [2, z.string(), 'What kept it from deciding.'],
});

/** Why a rules file is refused. */
export const RuleFileFault = message('agent.v1.RuleFileFault', {
  line: [1, z.int32(), 'Where in the file, counting from one.'],
  reason: [2, z.string(), 'What is wrong there.'],
});

/** The rules that a pane is read by. */
export const RuleSet = message('agent.v1.RuleSet', {
  harness: [1, z.string(), 'The harness whose screens the rules read.'],
  version: [2, z.string(), 'Changes whenever the rules do.'],
  file: [3, z.string(), 'File on the agent’s host that changes the rules. Unset without one.'],
  faults: [4, z.array(RuleFileFault), 'Why that file is refused. Empty if it is good.'],
  instead: [5, z.string(), 'Which rules apply in its place while it is refused.'],
  recordedWith: [
    6,
    z.string(),
    'Newest version of the CLI whose screens the rules were recorded with. Unset if no screen of one was.',
  ],
});
export type RuleSet = z.infer<typeof RuleSet>;

/** One move of an agent's state. What was seen is there where a pane brought it about. */
export const AgentMove = message('agent.v1.AgentMove', {
  ordinal: [1, z.int32(), 'Counts the agent’s changes of state, from one.'],
  at: [2, z.string(), 'When the state changed: RFC 3339, UTC.'],
  from: [3, AgentState, 'The state before.'],
  to: [4, AgentState, 'The state after.'],
  reason: [5, z.string(), 'Why, in words.'],
  rule: [6, z.string(), 'Id of the rule that decided. Unset if no pane was read.'],
  evidence: [
    7,
    z.array(z.string()),
    'The rows that the rule matched; what stands beside the screen is named, such as `command: bash`.',
  ],
  harness: [8, z.string(), 'The harness whose rules decided.'],
  rulesVersion: [9, z.string(), 'Version of the rules that decided.'],
  screen: [10, PaneScreen, 'The end of the screen, with SGR escape sequences. Only with VIEW_FULL.'],
});
export type AgentMove = z.infer<typeof AgentMove>;

/** Where an explanation comes from: the pane as it is, or the last move that is on record. */
export const ExplanationSource = enumeration('agent.v1.ExplanationSource', {
  EXPLANATION_SOURCE_UNSPECIFIED: 'Not known; never sent.',
  EXPLANATION_SOURCE_LIVE: 'The pane, read just now.',
  EXPLANATION_SOURCE_RECORD: 'The last change of state on record.',
});

/** Something that a person types: exactly one of these. */
export const PaneInput = message('agent.v1.PaneInput', {
  text: [1, text(1_000), 'Characters, typed one after the other.'],
  key: [2, Key, 'A key that is no character, such as `Enter` or `C-c`.'],
  paste: [3, text(50_000), 'Text that is pasted as one, line ends included.'],
});
export type PaneInput = z.infer<typeof PaneInput>;
