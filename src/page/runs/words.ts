import { type RunLog, RunScript, RunState } from '#page/client/host/v1/host_pb.js';
import type { Tone } from '#page/parts/tone.ts';

const scripts: Readonly<Record<RunScript, string>> = {
  [RunScript.UNSPECIFIED]: 'script',
  [RunScript.SETUP]: 'setup',
  [RunScript.TEARDOWN]: 'teardown',
  [RunScript.ON_IDLE]: 'on idle',
  [RunScript.ON_WAITING]: 'on waiting',
};

/** The name of the workflow's script that was run. */
export function scriptWord(script: RunScript): string {
  return scripts[script] ?? scripts[RunScript.UNSPECIFIED];
}

interface RunTag {
  readonly word: string;
  readonly tone: Tone;
}

const tags: Readonly<Record<RunState, RunTag>> = {
  [RunState.UNSPECIFIED]: { word: 'unknown', tone: 'plain' },
  [RunState.RUNNING]: { word: 'running', tone: 'busy' },
  [RunState.SUCCEEDED]: { word: 'succeeded', tone: 'good' },
  [RunState.FAILED]: { word: 'failed', tone: 'bad' },
  [RunState.CALLED_OFF]: { word: 'cancelled', tone: 'plain' },
};

/** The tag for a run. An acknowledged failure needs no attention. */
export function runTag(run: RunLog): RunTag {
  const tag = tags[run.state] ?? tags[RunState.UNSPECIFIED];
  return run.acknowledgedAt === '' ? tag : { word: 'failed, seen', tone: 'plain' };
}

/** Whether a run failed and is not acknowledged. */
export function needsAcknowledgement({ state, acknowledgedAt }: RunLog): boolean {
  return state === RunState.FAILED && acknowledgedAt === '';
}
