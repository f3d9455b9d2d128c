import { MissedPolicy, OverlapPolicy, type Schedule, ScheduleRunState } from '#page/client/schedule/v1/schedule_pb.js';
import type { Tone } from '#page/parts/tone.ts';

interface RunTag {
  readonly word: string;
  readonly tone: Tone;
  /** The meaning of the word. */
  readonly title: string;
}

const unknown: RunTag = { word: 'unknown', tone: 'plain', title: 'a state that this page does not know' };
const tags: Readonly<Record<ScheduleRunState, RunTag>> = {
  [ScheduleRunState.UNSPECIFIED]: unknown,
  [ScheduleRunState.AVAILABLE]: { word: 'available', tone: 'plain', title: 'it is about to start' },
  [ScheduleRunState.PENDING]: { word: 'pending', tone: 'odd', title: 'it waits for an earlier run, or for a host' },
  [ScheduleRunState.SCHEDULED]: { word: 'scheduled', tone: 'plain', title: 'it starts at a later time' },
  [ScheduleRunState.RUNNING]: { word: 'running', tone: 'busy', title: 'its agent is being launched' },
  [ScheduleRunState.RETRYABLE]: { word: 'retryable', tone: 'wants', title: 'it failed, and will be retried' },
  [ScheduleRunState.COMPLETED]: { word: 'completed', tone: 'good', title: 'its agent was launched' },
  [ScheduleRunState.CANCELLED]: { word: 'cancelled', tone: 'plain', title: 'it was skipped or cancelled' },
  [ScheduleRunState.DISCARDED]: { word: 'discarded', tone: 'bad', title: 'it failed too often; muster gave up' },
};

/** The tag for a run's state. */
export function runTag(state: ScheduleRunState): RunTag {
  return tags[state] ?? unknown;
}

const atWork: ReadonlySet<ScheduleRunState> = new Set([ScheduleRunState.AVAILABLE, ScheduleRunState.RUNNING]);
const ended: ReadonlySet<ScheduleRunState> = new Set([
  ScheduleRunState.COMPLETED,
  ScheduleRunState.CANCELLED,
  ScheduleRunState.DISCARDED,
]);

/** Whether a run can still be cancelled. */
export function isCancellable(state: ScheduleRunState): boolean {
  return !ended.has(state);
}

/** Whether a run can be started now. One that is in progress or has launched its agent cannot. */
export function isRetryable(state: ScheduleRunState): boolean {
  return !atWork.has(state) && state !== ScheduleRunState.COMPLETED;
}

/** The policies for occurrences while muster was not running. The first is the default. */
export const missedWords: readonly (readonly [MissedPolicy, string])[] = [
  [MissedPolicy.RUN_ONCE, 'run once'],
  [MissedPolicy.RUN_ALL, 'run each'],
  [MissedPolicy.SKIP, 'skip them'],
];

/** The policies for a firing while an agent of an earlier one is working. The first is the default. */
export const overlapWords: readonly (readonly [OverlapPolicy, string])[] = [
  [OverlapPolicy.ALLOW, 'launch anyway'],
  [OverlapPolicy.SKIP, 'skip the time'],
  [OverlapPolicy.WAIT, 'wait for it'],
];

/** The text for a policy. */
export function wordIn<P>(words: readonly (readonly [P, string])[], policy: P): string {
  return words.find(([one]) => one === policy)?.[1] ?? '';
}

/** Whether a schedule was paused because of failures, and not by a person. */
export function isStuck({ enabled, pausedByFailures }: Schedule): boolean {
  return !enabled && pausedByFailures;
}

/** A duration as text: `90 s`, `15 min`, `6 h`, `1 day`. */
export function spanText(seconds: number): string {
  if (seconds % 86_400 === 0) return seconds === 86_400 ? '1 day' : `${seconds / 86_400} days`;
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
