import { z } from 'zod';
import { AgentState } from './agent-state.ts';
import { Key } from './key.ts';
import { enumeration, message, text } from './message.ts';

/** What a pane was read as, and why. */
export const PaneReading = message('agent.v1.PaneReading', {
  state: [1, AgentState],
  /** The id of the rule that decided; `none` where no rule did. */
  rule: [2, z.string()],
  /** A short word for the kind of state, such as `permission`. */
  reason: [3, z.string()],
  /** What the screen says of the reason, such as when a limit ends. */
  detail: [4, z.string()],
  /** The rows that the rule matched. */
  evidence: [5, z.array(z.string())],
});
export type PaneReading = z.infer<typeof PaneReading>;

/** What a pane shows and sends. */
export const PaneScreen = message('agent.v1.PaneScreen', {
  /** The visible rows, one a line; with SGR escape sequences where attributes were asked for. */
  text: [1, z.string()],
  title: [2, z.string()],
  width: [3, z.int32()],
  height: [4, z.int32()],
  /** Zero-based, as the row below. */
  cursorColumn: [5, z.int32()],
  cursorRow: [6, z.int32()],
  /** The process in the foreground of the pane. */
  command: [7, z.string()],
  /** The last OSC 7501 and OSC 9;4 payloads. */
  programStatus: [8, z.string()],
  progress: [9, z.string()],
  /** Whether a person scrolls in the pane. */
  inMode: [10, z.boolean()],
  /** Whether the pane's process has ended. */
  dead: [11, z.boolean()],
  /** How many rows stood above the first one of the text, where only the end of a screen was kept. */
  rowsAbove: [12, z.int32()],
});
export type PaneScreen = z.infer<typeof PaneScreen>;

/** A rule that matched, or failed by one condition, and did not decide. */
export const LostRule = message('agent.v1.LostRule', { rule: [1, z.string()], why: [2, z.string()] });

/** Why a file of rules is refused. */
export const RuleFileFault = message('agent.v1.RuleFileFault', { line: [1, z.int32()], reason: [2, z.string()] });

/** The rules that a pane is read by. */
export const RuleSet = message('agent.v1.RuleSet', {
  harness: [1, z.string()],
  /** Changes whenever anything of the rules does. */
  version: [2, z.string()],
  /** The file on the agent's host that changes them, where there is one. */
  file: [3, z.string()],
  /** Why that file is refused; empty where it holds. */
  faults: [4, z.array(RuleFileFault)],
  /** What goes on in its place where it is refused. */
  instead: [5, z.string()],
});
export type RuleSet = z.infer<typeof RuleSet>;

/** One move of an agent's state. What was seen is there where a pane brought it about. */
export const AgentMove = message('agent.v1.AgentMove', {
  /** Counts the agent's moves, from one. */
  ordinal: [1, z.int32()],
  at: [2, z.string()],
  from: [3, AgentState],
  to: [4, AgentState],
  reason: [5, z.string()],
  rule: [6, z.string()],
  evidence: [7, z.array(z.string())],
  harness: [8, z.string()],
  /** The version of the rules that decided. */
  rulesVersion: [9, z.string()],
  /** The end of the screen, with SGR escape sequences; only with VIEW_FULL. */
  screen: [10, PaneScreen],
});
export type AgentMove = z.infer<typeof AgentMove>;

/** Where an explanation comes from: the pane as it is, or the last move that is on record. */
export const ExplanationSource = enumeration('agent.v1.ExplanationSource', [
  'EXPLANATION_SOURCE_UNSPECIFIED',
  'EXPLANATION_SOURCE_LIVE',
  'EXPLANATION_SOURCE_RECORD',
]);

/** Something that a person types: exactly one of these. */
export const PaneInput = message('agent.v1.PaneInput', {
  /** Characters, typed one after the other. */
  text: [1, text(1_000)],
  /** A key that is no character, such as `Enter` or `C-c`. */
  key: [2, Key],
  /** A text that is pasted as one, line ends and all. */
  paste: [3, text(50_000)],
});
export type PaneInput = z.infer<typeof PaneInput>;
