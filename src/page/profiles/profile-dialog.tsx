import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { actFailureText, wrongFields } from '#page/api/failure-text.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import type { Profile } from '#page/client/profile/v1/profile_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { FormFoot } from '#page/dialog/form-foot.tsx';
import { showNotice } from '#page/parts/notices.tsx';
import { draftOf, type ProfileDraft, saveProfile } from './save-profile.ts';

interface DialogProps {
  /** The profile to edit; undefined to create one. */
  readonly profile: Profile | undefined;
  readonly onClose: () => void;
}

/** Creates or edits a profile. A value to be stored is sent to the service and never shown again. */
export function ProfileDialog({ profile, onClose }: DialogProps) {
  const queries = useQueryClient();
  const [before] = useState(profile);
  const [draft, setDraft] = useState(() => draftOf(before));
  const saving = useOneAct({
    mutationFn: () => saveProfile(draft, before),
    onSuccess: (saved) => {
      const said = before === undefined ? 'is created' : 'is saved: agents get it when they start next';
      showNotice({ tone: 'done', text: `Profile ${saved?.name} ${said}` });
      void queries.invalidateQueries({ queryKey: ['profiles'] });
      onClose();
    },
  });
  const set = (changed: Partial<ProfileDraft>): void => {
    saving.reset();
    setDraft({ ...draft, ...changed });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  const wrong = new Map([...wrongFields(saving.error)].map(([field, said]) => [partOf(field), said]));
  const refusal = saving.error === null || wrong.size > 0 ? undefined : actFailureText(saving.error);
  const parts = { draft, set, wrong };
  return (
    <Dialog title={before === undefined ? 'New profile' : `Edit ${before.name}`} onClose={onClose}>
      <form className="body form" onSubmit={submit} noValidate>
        <div className="pair">
          <Text {...parts} field="name" label="Name" hint="workflows and launches name it" />
          <Text {...parts} field="account" label="Account" hint="that the CLI’s credential belongs to" />
        </div>
        <Text
          {...parts}
          field="home"
          label="Folder of the CLI"
          hint="with its settings and credentials on the agent’s host, such as ~/.claude-work"
        />
        <Text {...parts} field="environment" label="Variables" rows={2} hint="not secret; NAME=value, one per line" />
        <Text
          {...parts}
          field="secrets"
          label="Secrets"
          rows={3}
          hint="VARIABLE=env:NAME, =file:PATH or =command:WORDS on the agent’s host, one per line"
        />
        <div className="pair">
          <Text {...parts} field="variable" label="Variable of a stored secret" />
          <Field label="Its value" hint="stored encrypted, and never shown">
            <input
              className="code"
              type="password"
              autoComplete="off"
              value={draft.value}
              onChange={({ target }) => set({ value: target.value })}
            />
          </Field>
        </div>
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

interface TextProps {
  readonly draft: ProfileDraft;
  readonly set: (changed: Partial<ProfileDraft>) => void;
  readonly wrong: ReadonlyMap<string, string>;
  readonly field: keyof ProfileDraft;
  readonly label: string;
  readonly hint?: string;
  readonly rows?: number;
}

function Text({ draft, set, wrong, field, label, hint, rows = 1 }: TextProps) {
  const shared = { value: draft[field], autoComplete: 'off', spellCheck: false, className: 'code' };
  return (
    <Field label={label} wrong={wrong.get(field)} {...(hint !== undefined && { hint })}>
      {rows === 1 ? (
        <input {...shared} onChange={({ target }) => set({ [field]: target.value })} />
      ) : (
        <textarea {...shared} rows={rows} onChange={({ target }) => set({ [field]: target.value })} />
      )}
    </Field>
  );
}

/** The field of the form to which a refusal refers. */
function partOf(field: string): string {
  return field.replace(/[.[].*/, '');
}
