import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { actFailureText, failureText } from '#page/api/failure-text.ts';
import { useOnceKey } from '#page/api/use-once-key.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import type { Workflow } from '#page/client/workflow/v1/workflow_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { RoleField } from '#page/dialog/role-field.tsx';
import { useDraft } from '#page/dialog/use-draft.ts';
import { useWorkflows } from '#page/fleet/names.tsx';
import { showNotice } from '#page/parts/notices.tsx';
import { emptyLaunch, type LaunchDraft, type LaunchFieldProps, launch, wrongWithDraft } from './launch.ts';
import { LaunchMore } from './launch-more.tsx';
import { type FaultOf, keepWorkflow, useWorkflowFaults, workflowToBeginWith } from './workflow-fault.ts';

/**
 * Launches an agent with an opening prompt. The draft is kept until it is launched, even if the dialog is closed. A
 * launch whose answer was lost creates one agent, however often it is sent.
 */
export function LaunchDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const { draft, write, clear, isKept } = useDraft('launch', emptyLaunch);
  const wasKept = useRef(isKept);
  const keyOf = useOnceKey();
  const listed = useWorkflows();
  const known = listed.data?.workflows ?? [];
  const faultOf = useWorkflowFaults();
  const workflowId = draft.workflowId || workflowToBeginWith(known, faultOf);
  const isOpen = useIsMounted();
  const { mutate, reset, error, isPending } = useOneAct({
    mutationFn: (wanted: LaunchDraft) => launch(wanted, keyOf(wanted)),
    onSuccess: ({ agent, lacked }, wanted) => {
      keepWorkflow(wanted.workflowId);
      showNotice({ tone: 'done', text: `${agent?.name} is being set up` });
      if (lacked !== '') showNotice({ tone: 'done', text: lacked, stays: true });
      clear();
      if (!isOpen.current) return;
      onClose();
      void navigate({ to: '/agents/$agentId', params: { agentId: agent?.id ?? '' } });
    },
    onError(refused) {
      if (!isOpen.current)
        showNotice({ tone: 'failed', text: `Launch failed; your text is kept: ${actFailureText(refused)}` });
    },
  });
  const set = (changed: Partial<LaunchDraft>): void => {
    reset();
    write({ ...draft, ...changed });
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    mutate({ ...draft, workflowId });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  };
  const refusal = error === null ? undefined : actFailureText(error);
  const found = wrongWithDraft(error);
  const wrong = (field: keyof LaunchDraft): string | undefined => found.get(field);
  const said =
    (found.size === 0 ? refusal : undefined) ?? (listed.error === null ? undefined : failureText(listed.error));
  return (
    <Dialog title="Launch an agent" onClose={onClose}>
      <form className="body form" onSubmit={submit} onKeyDown={onKeyDown}>
        <LaunchFields
          draft={{ ...draft, workflowId }}
          set={set}
          wrong={wrong}
          known={known}
          faultOf={faultOf}
          isLoading={listed.isPending}
        />
        <LaunchMore draft={draft} set={set} wrong={wrong} />
        {said !== undefined && (
          <p role="alert" className="failure">
            {said}
          </p>
        )}
        <div className="foot">
          {wasKept.current && isKept ? (
            <button type="button" className="quiet" onClick={clear}>
              Start over
            </button>
          ) : (
            <span className="hint">
              <kbd>Ctrl</kbd> <kbd>Enter</kbd> launches
            </span>
          )}
          <button type="submit" className="button primary" disabled={isPending || known.length === 0}>
            {isPending ? 'Launching …' : 'Launch'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function useIsMounted() {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}

interface FieldsProps extends LaunchFieldProps {
  readonly known: readonly Workflow[];
  readonly faultOf: FaultOf;
  /** Whether the workflows are still loading. */
  readonly isLoading: boolean;
}

/** The option for a workflow: its name with its CLI and its problem, if it has one. */
function named(name: string, harness: string, fault: string | undefined): string {
  const said = [harness, fault].filter(Boolean).join(': ');
  return said === '' ? name : `${name} (${said})`;
}

function LaunchFields({ draft, set, wrong, known, faultOf, isLoading }: FieldsProps) {
  return (
    <>
      <Field label="Prompt" wrong={wrong('prompt')}>
        <textarea
          rows={6}
          required
          dir="auto"
          value={draft.prompt}
          onChange={({ target }) => set({ prompt: target.value })}
        />
      </Field>
      <div className="pair">
        <Field label="Workflow" wrong={wrong('workflowId')}>
          <select
            value={draft.workflowId}
            disabled={known.length === 0 || draft.parentAgentId !== ''}
            onChange={({ target }) => set({ workflowId: target.value })}
          >
            {known.length === 0 && <option value="">{isLoading ? '…' : 'none yet'}</option>}
            {known.map(({ id, name, harness }) => (
              <option key={id} value={id}>
                {named(name, harness, faultOf(id))}
              </option>
            ))}
          </select>
        </Field>
        <RoleField
          role={draft.role}
          unset="as in the workflow"
          wrong={wrong('role')}
          onChange={(role) => set({ role })}
        />
      </div>
      <Field label="Name" hint="made from the prompt if empty" wrong={wrong('title')}>
        <input value={draft.title} autoComplete="off" onChange={({ target }) => set({ title: target.value })} />
      </Field>
    </>
  );
}
