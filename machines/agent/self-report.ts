import type { PaneState } from '#contract/agent/agent-state.ts';
import type { ReportedReading } from './agent-context.ts';

/**
 * What a CLI can report about itself that its pane could contradict: that it asks a person, works, or has ended its
 * turn.
 */
export type SelfReport = 'asks' | 'works' | 'ended';

/** The words that muster's hooks report, and those of the CLIs' own notices; any other words report none of these. */
const words: readonly (readonly [SelfReport, RegExp])[] = [
  [
    'asks',
    /^(?:asks (?:permission|a question)\b|action required$|.{0,80}\bneeds your (?:permission|approval|attention)\b)/,
  ],
  ['works', /^(?:working$|retrying\b)/],
  ['ended', /^(?:done(?:$|:)|failed(?:$|:)|interrupted$)/],
];

/** Parses the text of a report; undefined if a pane could not contradict it. */
export function parseSelfReport(report: string): SelfReport | undefined {
  return words.find(([, pattern]) => pattern.test(report))?.[0];
}

const states = {
  asks: 'AGENT_STATE_WAITING',
  works: 'AGENT_STATE_THINKING',
  ended: 'AGENT_STATE_IDLE',
} as const satisfies Readonly<Record<SelfReport, PaneState>>;

/** The state that a pane shows if the report is right. */
export function reportedState(said: SelfReport): PaneState {
  return states[said];
}

/** Reasons for THINKING after the end of a turn: shells and subagents continue, and call no hook. */
const afterEnd: ReadonlySet<string> = new Set(['background', 'compacting']);

/** Reasons for a pane whose CLI has ended, so its reports no longer count. */
const gone: ReadonlySet<string> = new Set(['exited', 'exited to a shell']);

/**
 * Whether a pane contradicts its CLI's report. A question on the screen stays a question whatever the CLI reported, so
 * that a person can answer it. An undecided screen contradicts only a reported question.
 */
export function contradicts({ state, reason }: Pick<ReportedReading, 'state' | 'reason'>, said: SelfReport): boolean {
  if (gone.has(reason)) return false;
  if (said === 'asks') return state !== 'AGENT_STATE_WAITING';
  if (said === 'works') return state === 'AGENT_STATE_IDLE';
  return state === 'AGENT_STATE_THINKING' && !afterEnd.has(reason);
}
