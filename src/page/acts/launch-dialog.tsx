import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { actFailureText, failureText } from '#page/api/failure-text.ts';
import { useOnceKey } from '#page/api/use-once-key.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import type { AgentRole } from '#page/client/agent/v1/agent_pb.js';
import type { Workflow } from '#page/client/workflow/v1/workflow_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { useDraft } from '#page/dialog/use-draft.ts';
import { useWorkflows } from '#page/fleet/names.tsx';
import { tell } from '#page/parts/notices.tsx';
import { emptyLaunch, fieldOf, type LaunchDraft, launch, roleWords } from './launch.ts';
import { LaunchMore } from './launch-more.tsx';

/** What the launch was last made in, in this browser. */
const workflowKey = 'muster.workflow';

/**
 * Launches an agent with an opening prompt. What was written stays until it is launched, also where the window is closed. A launch
 * whose answer was lost makes one agent, however often it is sent.
 */
export function LaunchDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const { draft, write, clear, isKept } = useDraft('launch', emptyLaunch);
  const wasKept = useRef(isKept);
  const keyOf = useOnceKey();
  const listed = useWorkflows();
  const known = listed.data?.workflows ?? [];
  const workflowId = draft.workflowId || workflowToBeginWith(known);
  const isOpen = useIsMounted();
  const { mutate, reset, error, isPending } = useOneAct({
    mutationFn: (wanted: LaunchDraft) => launch(wanted, keyOf(wanted)),
    onSuccess: (agent, wanted) => {
      window.localStorage.setItem(workflowKey, wanted.workflowId);
      tell({ tone: 'done', text: `${agent?.name} is being set up` });
      clear();
      if (!isOpen.current) return;
      onClose();
      void navigate({ to: '/agents/$agentId', params: { agentId: agent?.id ?? '' } });
    },
    onError(refused) {
      if (!isOpen.current) tell({ tone: 'failed', text: `The launch is kept: ${actFailureText(refused)}` });
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
  const at = refusal === undefined ? undefined : fieldOf(refusal);
  const wrong = (field: keyof LaunchDraft): string | undefined => (at === field ? refusal : undefined);
  const said =
    (at === undefined ? refusal : undefined) ?? (listed.error === null ? undefined : failureText(listed.error));
  return (
    <Dialog title="Launch an agent" onClose={onClose}>
      <form className="body form" onSubmit={submit} onKeyDown={onKeyDown}>
        <LaunchFields
          draft={{ ...draft, workflowId }}
          set={set}
          wrong={wrong}
          known={known}
          isAsked={listed.isPending}
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
              Begin anew
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

/** The workflow of the last launch, where it still is; else the first one. */
function workflowToBeginWith(known: readonly Workflow[]): string {
  const last = window.localStorage.getItem(workflowKey);
  return (known.find(({ id }) => id === last) ?? known[0])?.id ?? '';
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

interface FieldsProps {
  readonly draft: LaunchDraft;
  readonly set: (changed: Partial<LaunchDraft>) => void;
  readonly wrong: (field: keyof LaunchDraft) => string | undefined;
  readonly known: readonly Workflow[];
  /** Whether the workflows are not known yet. */
  readonly isAsked: boolean;
}

function LaunchFields({ draft, set, wrong, known, isAsked }: FieldsProps) {
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
            {known.length === 0 && <option value="">{isAsked ? '…' : 'there is none'}</option>}
            {known.map(({ id, name, harness }) => (
              <option key={id} value={id}>
                {name} ({harness})
              </option>
            ))}
          </select>
        </Field>
        <Field label="Role" wrong={wrong('role')}>
          <select value={draft.role} onChange={({ target }) => set({ role: Number(target.value) as AgentRole })}>
            {roleWords.map(([role, word]) => (
              <option key={role} value={role}>
                {word}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <Field label="Name" hint="made from the prompt where it is left out" wrong={wrong('title')}>
        <input value={draft.title} autoComplete="off" onChange={({ target }) => set({ title: target.value })} />
      </Field>
    </>
  );
}
