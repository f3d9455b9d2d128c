import { type RunLog, RunScript, RunState } from '#page/client/host/v1/host_pb.js';
import type { Tone } from '#page/parts/tone.ts';

const scripts: Readonly<Record<RunScript, string>> = {
  [RunScript.UNSPECIFIED]: 'script',
  [RunScript.SETUP]: 'setup',
  [RunScript.TEARDOWN]: 'teardown',
  [RunScript.ON_IDLE]: 'on idle',
  [RunScript.ON_WAITING]: 'on waiting',
};

/** Which of its workflow's scripts was run. */
export function scriptWord(script: RunScript): string {
  return scripts[script] ?? scripts[RunScript.UNSPECIFIED];
}

interface RunLook {
  readonly word: string;
  readonly tone: Tone;
}

const looks: Readonly<Record<RunState, RunLook>> = {
  [RunState.UNSPECIFIED]: { word: 'unknown', tone: 'plain' },
  [RunState.RUNNING]: { word: 'running', tone: 'busy' },
  [RunState.SUCCEEDED]: { word: 'succeeded', tone: 'good' },
  [RunState.FAILED]: { word: 'failed', tone: 'bad' },
  [RunState.CALLED_OFF]: { word: 'cancelled', tone: 'plain' },
};

/** How a run stands; a failure that somebody has looked at asks for nothing more. */
export function runLookOf(run: RunLog): RunLook {
  const look = looks[run.state] ?? looks[RunState.UNSPECIFIED];
  return run.acknowledgedAt === '' ? look : { word: 'failed, seen', tone: 'plain' };
}

/** Whether a run failed and nobody has looked at it. */
export function wantsALook({ state, acknowledgedAt }: RunLog): boolean {
  return state === RunState.FAILED && acknowledgedAt === '';
}
