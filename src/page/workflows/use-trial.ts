import { useEffect, useRef, useState } from 'react';
import { workflows } from '#page/api/clients.ts';
import { failureText, mayRetry } from '#page/api/failure-text.ts';
import { pause } from '#page/api/pause.ts';
import { RunState } from '#page/client/host/v1/host_pb.js';
import type { WorkflowTrial } from '#page/client/workflow/v1/workflow_pb.js';

/** The maximum number of characters of output that are shown: the end of the output. */
const maxShown = 1024 * 1024;
/** The pause before an unanswered request is repeated, in milliseconds. */
const againMs = 1_000;

/** A trial with all of its output so far; `refusal` is why it could not be started or followed. */
export interface TrialView {
  readonly trial?: Omit<WorkflowTrial, '$typeName'> | undefined;
  readonly refusal?: string | undefined;
}

/** Runs a workflow's setup script and follows it. Leaving the dialog ends the trial. */
export function useTrial(workflowId: string) {
  const [shown, show] = useState<TrialView & { readonly isRunning: boolean }>({ isRunning: false });
  const stop = useRef<() => void>(() => undefined);
  useEffect(() => () => stop.current(), []);
  const start = (setup: string): void => {
    const left = new AbortController();
    const { signal } = left;
    let begun: WorkflowTrial | undefined;
    stop.current = () => {
      left.abort();
      if (begun !== undefined) end(begun);
    };
    show({ isRunning: true });
    const follow = async (): Promise<void> => {
      const answer = await workflows.tryWorkflow({ workflowId, setup });
      begun = answer.trial;
      if (begun === undefined) return;
      if (signal.aborted) return end(begun);
      await followed(begun, signal, (trial) => show({ trial, isRunning: trial.state === RunState.RUNNING }));
    };
    follow().catch((error: unknown) => {
      if (!signal.aborted) show((before) => ({ ...before, isRunning: false, refusal: failureText(error) }));
    });
  };
  const halt = (): void => {
    const { trial } = shown;
    if (trial !== undefined) end(trial);
  };
  return { ...shown, start, stop: halt };
}

function end({ id: trialId, hostId }: Pick<WorkflowTrial, 'id' | 'hostId'>): void {
  workflows.stopWorkflowTrial({ trialId, hostId }).catch(() => undefined);
}

/** Follows a trial with all of its output until it has ended. */
async function followed(
  { id: trialId, hostId }: WorkflowTrial,
  signal: AbortSignal,
  show: (trial: WorkflowTrial) => void,
): Promise<void> {
  let output = '';
  let isCut = false;
  for (let cursor = ''; !signal.aborted; ) {
    const trial = await asked({ trialId, hostId, cursor }, signal);
    if (trial === undefined) continue;
    isCut ||= trial.outputTruncated;
    output += trial.output;
    if (output.length > maxShown) {
      output = output.slice(-maxShown);
      isCut = true;
    }
    cursor = trial.cursor;
    show({ ...trial, output, outputTruncated: isCut });
    if (trial.state !== RunState.RUNNING) return;
  }
}

/** The host's answer about a trial; undefined if there was no answer. */
async function asked(
  about: Parameters<typeof workflows.getWorkflowTrial>[0],
  signal: AbortSignal,
): Promise<WorkflowTrial | undefined> {
  try {
    return (await workflows.getWorkflowTrial(about, { signal })).trial;
  } catch (error) {
    if (signal.aborted || !mayRetry(error)) throw error;
    await pause(againMs, signal);
    return undefined;
  }
}
