import { type FormEvent, useEffect, useRef, useState } from 'react';
import { actFailureText, wrongFields } from '#page/api/failure-text.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import { Isolation } from '#page/client/shared/v1/shared_pb.js';
import type { Workflow } from '#page/client/workflow/v1/workflow_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { FormFoot } from '#page/dialog/form-foot.tsx';
import { RoleField } from '#page/dialog/role-field.tsx';
import { useDraft } from '#page/dialog/use-draft.ts';
import { useWorkflows } from '#page/fleet/names.tsx';
import { useHosts } from '#page/fleet/use-hosts.ts';
import { useProfiles } from '#page/fleet/use-profiles.ts';
import { showNotice } from '#page/parts/notices.tsx';
import { Choice } from './choice.tsx';
import { type Draft, type DraftField, draftFieldOf, draftOf, save, type Worktrees } from './draft.ts';
import { type PartProps, TextInput } from './fields.tsx';
import { IsolationFields } from './isolation-fields.tsx';
import { LimitFields } from './limit-fields.tsx';
import { ArchiveFields, NotifyFields, RightFields, ScriptFields } from './more-fields.tsx';
import { bootWords, isolationChoices, isolationWords, limitWords, worktreeWords } from './words.ts';

interface DialogProps {
  /** The workflow to edit; undefined to create one. */
  readonly workflow: Workflow | undefined;
  readonly onClose: () => void;
  readonly onMade?: (workflowId: string) => void;
}

/** Creates or edits a workflow. A refusal of the service is shown at its field. */
export function WorkflowDialog({ workflow, onClose, onMade }: DialogProps) {
  // The initial workflow, with which the draft is compared to find what was edited.
  const [before] = useState(workflow);
  const { draft, write, clear } = useWorkflowDraft(before);
  const saving = useOneAct({
    mutationFn: () => save(draft, before),
    onSuccess: ({ workflow: saved, notIsolated }) => {
      clear();
      const said = before === undefined ? 'is created' : 'is saved: it applies to launches from now on';
      const warning = notIsolated ? `, without isolation. ${notIsolated}` : '';
      showNotice({ tone: 'done', text: `${saved?.name} ${said}${warning}`, ...(notIsolated && { stays: true }) });
      onClose();
      if (saved !== undefined) onMade?.(saved.id);
    },
  });
  const set = (changed: Partial<Draft>): void => {
    saving.reset();
    write({ ...draft, ...changed });
  };
  const found = new Map<DraftField, string>();
  for (const [field, said] of wrongFields(saving.error)) {
    const named = draftFieldOf(field);
    if (named !== undefined) found.set(named, said);
  }
  const refusal = saving.error === null || found.size > 0 ? undefined : actFailureText(saving.error);
  const { data: listed } = useWorkflows();
  const choices = before === undefined ? isolationChoices(listed?.defaultIsolation ?? Isolation.NONE) : isolationWords;
  const parts: PartProps = { draft, set, wrong: (field) => found.get(field) };
  const place = useRef<HTMLFormElement>(null);
  const { error } = saving;
  useEffect(() => {
    // The form is longer than the dialog, so scroll to the error.
    if (error !== null) place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Dialog title={before === undefined ? 'New workflow' : `Edit ${before.name}`} onClose={onClose}>
      <form ref={place} className="body form" onSubmit={submit} noValidate>
        <TextInput {...parts} field="name" label="Name" isCode={false} />
        <TextInput
          {...parts}
          field="cwd"
          label="Directory"
          placeholder="~/src/project"
          hint="where agents start; worktrees are made from its repository"
        />
        <LaunchFields {...parts} />
        <TextInput {...parts} field="context" label="Context" rows={3} isCode={false} hint="put before every prompt" />
        <IsolationFields {...parts} choices={choices} />
        <LimitFields {...parts} />
        <ScriptFields {...parts} />
        <ArchiveFields {...parts} />
        <RightFields {...parts} />
        <NotifyFields {...parts} />
        {refusal !== undefined && (
          <p role="alert" className="failure">
            {refusal}
          </p>
        )}
        <FormFoot submit={before === undefined ? 'Create' : 'Save'} isBusy={saving.isPending} onLeave={onClose} />
      </form>
    </Dialog>
  );
}

/** The CLI, and where it runs. */
function LaunchFields(props: PartProps) {
  const { draft, set, wrong } = props;
  const { data } = useHosts();
  const { data: profiles = [] } = useProfiles();
  const hosts = data?.hosts ?? [];
  const harnesses = [...new Set([...hosts.flatMap(({ harnesses: own }) => own), draft.harness])].filter(Boolean).sort();
  const names = [...new Set([...hosts.map(({ name }) => name), draft.host])].filter(Boolean).sort();
  return (
    <>
      <div className="pair">
        <Field label="Harness" hint="the CLI that its agents run" wrong={wrong('harness')}>
          <select value={draft.harness} onChange={({ target }) => set({ harness: target.value })}>
            <option value="">the first CLI found on the host</option>
            {harnesses.map((harness) => (
              <option key={harness}>{harness}</option>
            ))}
          </select>
        </Field>
        <TextInput {...props} field="flags" label="Flags" hint="for its CLI" />
      </div>
      <div className="pair">
        <Field label="Agents work" wrong={wrong('worktrees')}>
          <select value={draft.worktrees} onChange={({ target }) => set({ worktrees: target.value as Worktrees })}>
            {worktreeWords.map(([worktrees, word]) => (
              <option key={worktrees} value={worktrees}>
                {word}
              </option>
            ))}
          </select>
        </Field>
        <TextInput {...props} field="baseBranch" label="Base branch" hint="empty: the repository’s default branch" />
      </div>
      <div className="pair">
        <RoleField
          role={draft.role}
          unset="implementer, unless the launch says otherwise"
          wrong={wrong('role')}
          onChange={(role) => set({ role })}
        />
        <Field label="Host" wrong={wrong('host')}>
          <select value={draft.host} onChange={({ target }) => set({ host: target.value })}>
            <option value="">muster chooses</option>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
      </div>
      <div className="pair">
        <TextInput
          {...props}
          field="hostSelector"
          label="Host labels"
          hint="such as gpu=yes zone=home; launches wait until a host has them"
        />
        <Field label="Profile" hint="variables, secrets and account of its agents" wrong={wrong('profileId')}>
          <select value={draft.profileId} onChange={({ target }) => set({ profileId: target.value })}>
            <option value="">none</option>
            {profiles.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <Field label="After a restart of their computer" wrong={wrong('onBoot')}>
        <Choice words={bootWords} value={draft.onBoot} choose={(onBoot) => set({ onBoot })} />
      </Field>
      <Field label="At a usage limit of their account" wrong={wrong('onUsageLimit')}>
        <Choice words={limitWords} value={draft.onUsageLimit} choose={(onUsageLimit) => set({ onUsageLimit })} />
      </Field>
    </>
  );
}

/** The draft of a new workflow is kept until it is created; editing starts with the current workflow. */
function useWorkflowDraft(workflow: Workflow | undefined) {
  const kept = useDraft('workflow', draftOf(undefined));
  const [changed, change] = useState<Draft>(() => draftOf(workflow));
  return workflow === undefined ? kept : { draft: changed, write: change, clear: () => undefined };
}
