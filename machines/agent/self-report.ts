import type { PaneState } from '#contract/agent/agent-state.ts';
import type { ReportedReading } from './agent-context.ts';

/** What a CLI says of itself, as far as a pane could say otherwise: that it asks a person, works, or ended its turn. */
export type SaidOfItself = 'asks' | 'works' | 'ended';

/** The words that muster gives to hooks, and those of the CLIs' own notices; other words say nothing of the kind. */
const words: readonly (readonly [SaidOfItself, RegExp])[] = [
  [
    'asks',
    /^(?:asks (?:permission|a question)\b|action required$|.{0,80}\bneeds your (?:permission|approval|attention)\b)/,
  ],
  ['works', /^(?:working$|retrying\b)/],
  ['ended', /^(?:done(?:$|:)|failed(?:$|:)|interrupted$)/],
];

/** What a report says; undefined if it says nothing that a pane could contradict. */
export function saidIn(report: string): SaidOfItself | undefined {
  return words.find(([, pattern]) => pattern.test(report))?.[0];
}

const states = {
  asks: 'AGENT_STATE_WAITING',
  works: 'AGENT_STATE_THINKING',
  ended: 'AGENT_STATE_IDLE',
} as const satisfies Readonly<Record<SaidOfItself, PaneState>>;

/** The state in which a pane shows what a CLI said. */
export function stateSaid(said: SaidOfItself): PaneState {
  return states[said];
}

/** THINKING that a turn's end does not contradict: shells and agents run on, and no hook is called for these. */
const afterEnd: ReadonlySet<string> = new Set(['background', 'compacting']);

/** Reasons of a pane whose CLI is gone, so that it says nothing any more. */
const gone: ReadonlySet<string> = new Set(['exited', 'exited to a shell']);

/**
 * Whether a pane shows otherwise than its CLI said. A question on the screen stays one, whatever the CLI said, so that a
 * person can answer it; and a screen that decides nothing contradicts only a CLI that asks.
 */
export function contradicts({ state, reason }: Pick<ReportedReading, 'state' | 'reason'>, said: SaidOfItself): boolean {
  if (gone.has(reason)) return false;
  if (said === 'asks') return state !== 'AGENT_STATE_WAITING';
  if (said === 'works') return state === 'AGENT_STATE_IDLE';
  return state === 'AGENT_STATE_THINKING' && !afterEnd.has(reason);
}
