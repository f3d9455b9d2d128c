import { type FormEvent, useState } from 'react';
import { useAct } from '#page/acts/use-act.ts';
import { workflows } from '#page/api/clients.ts';
import { RunState } from '#page/client/host/v1/host_pb.js';
import type { Workflow } from '#page/client/workflow/v1/workflow_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { Output } from '#page/parts/output.tsx';
import { Tag } from '#page/parts/tag.tsx';
import type { Tone } from '#page/parts/tone.ts';
import { useTrial } from './use-trial.ts';

const looks: Readonly<Record<RunState, readonly [tone: Tone, word: string]>> = {
  [RunState.UNSPECIFIED]: ['plain', 'starting'],
  [RunState.RUNNING]: ['busy', 'running'],
  [RunState.SUCCEEDED]: ['good', 'succeeded'],
  [RunState.FAILED]: ['bad', 'failed'],
  [RunState.CALLED_OFF]: ['plain', 'stopped'],
};

interface TrialProps {
  readonly workflow: Workflow;
  readonly onClose: () => void;
}

/** Runs a workflow's setup script in a worktree that is removed afterwards. An edited script can be saved. */
export function TrialDialog({ workflow: { id: workflowId, name, scripts }, onClose }: TrialProps) {
  const stored = scripts?.setup ?? '';
  const [setup, write] = useState(stored);
  const { trial, isRunning, refusal, start, stop } = useTrial(workflowId);
  const { act, isBusy } = useAct(['workflows']);
  const save = (): void =>
    act({
      label: `Save the setup script of ${name}`,
      call: () => workflows.updateWorkflow({ workflowId, clear: ['scripts'], scripts: { ...bare(scripts), setup } }),
      done: `The setup script of ${name} is saved`,
    });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    start(setup);
  };
  const [tone, word] = looks[trial?.state ?? RunState.UNSPECIFIED];
  return (
    <Dialog title={`Try the setup script of ${name}`} onClose={onClose}>
      <form className="body form trial" onSubmit={submit}>
        <Field
          label="Setup script"
          hint="runs as in a launch, in a worktree that is removed afterwards; no agent is launched"
        >
          <textarea
            rows={6}
            className="code"
            value={setup}
            spellCheck={false}
            onChange={({ target }) => write(target.value)}
          />
        </Field>
        {(trial !== undefined || isRunning) && (
          <p className="standing" role="status">
            <Tag tone={tone} word={word} /> {trial !== undefined && <code className="muted">{trial.directory}</code>}
          </p>
        )}
        {trial !== undefined && trial.reason !== '' && <p className="failure">{trial.reason}</p>}
        {refusal !== undefined && (
          <p role="alert" className="failure">
            {refusal}
          </p>
        )}
        {trial !== undefined && (
          <Output output={trial.output} isTruncated={trial.outputTruncated} isRunning={isRunning} />
        )}
        <div className="foot">
          {setup !== stored && (
            <button type="button" className="button" disabled={isBusy} onClick={save}>
              Save script
            </button>
          )}
          {isRunning ? (
            <button type="button" className="button" disabled={trial === undefined} onClick={stop}>
              Stop
            </button>
          ) : (
            <button type="submit" className="button primary" disabled={setup.trim() === ''}>
              Run
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

function bare(scripts: Workflow['scripts']) {
  const { teardown = '', onIdle = '', onWaiting = '' } = scripts ?? {};
  return { teardown, onIdle, onWaiting };
}
