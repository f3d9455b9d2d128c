import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { actFailureText, wrongFields } from '#page/api/failure-text.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import type { ForgeKind } from '#page/client/forge/v1/forge_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { FormFoot } from '#page/dialog/form-foot.tsx';
import { showNotice } from '#page/parts/notices.tsx';
import { forges } from './client.ts';
import { kindWords } from './words.ts';

const sources = [
  ['credential', 'Kept by muster, encrypted', 'Token', 'a token, or name:password if the forge requires it'],
  ['credentialEnv', 'From an environment variable', 'Variable', 'of the registry’s environment, such as GITHUB_TOKEN'],
  ['credentialFile', 'From a file', 'File', 'on the registry’s machine, readable only by its owner'],
  ['credentialCommand', 'From a program', 'Command', 'run without a shell, such as gh auth token'],
] as const;
type Source = (typeof sources)[number][0];

/** Connects a forge. The credential is sent to the service and never shown again. */
export function ConnectDialog({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [source, setSource] = useState<Source>('credential');
  const connect = useOneAct({
    mutationFn: (form: FormData) => {
      const text = (name: string): string => String(form.get(name) ?? '').trim();
      const given = text('given');
      return forges.createForgeConnection({
        host: text('host'),
        kind: Number(text('kind')) as ForgeKind,
        baseAddress: text('base'),
        ...(source === 'credentialCommand' ? { [source]: given.split(/\s+/) } : { [source]: given }),
      });
    },
    onSuccess: ({ connection }) => {
      showNotice({ tone: 'done', text: `${connection?.host} is connected` });
      void queries.invalidateQueries({ queryKey: ['forges'] });
      onClose();
    },
  });
  const refusal = connect.error === null ? undefined : actFailureText(connect.error);
  const [at] = [...wrongFields(connect.error).keys()].flatMap((field) => placeOf(field) ?? []);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    connect.mutate(new FormData(event.currentTarget));
  };
  const [, , label, hint] = sources.find(([one]) => one === source) ?? sources[0];
  return (
    <Dialog title="Connect a forge" onClose={onClose}>
      <form className="body form" onSubmit={submit} noValidate>
        <div className="pair">
          <Field label="Host" hint="of the remotes, such as github.com" wrong={at === 'host' ? refusal : undefined}>
            <input name="host" autoComplete="off" spellCheck={false} />
          </Field>
          <Field label="Kind">
            <select name="kind">
              {kindWords.map(([kind, word]) => (
                <option key={kind} value={kind}>
                  {word}
                </option>
              ))}
            </select>
          </Field>
        </div>
        <Field
          label="Address"
          hint="only for a self-hosted forge with its API elsewhere"
          wrong={at === 'baseAddress' ? refusal : undefined}
        >
          <input name="base" autoComplete="off" spellCheck={false} placeholder="https://" />
        </Field>
        <Field label="Where its credential comes from">
          <select value={source} onChange={({ target }) => setSource(target.value as Source)}>
            {sources.map(([one, word]) => (
              <option key={one} value={one}>
                {word}
              </option>
            ))}
          </select>
        </Field>
        <Field key={source} label={label} hint={hint} wrong={at === 'credential' ? refusal : undefined}>
          <input
            name="given"
            className="code"
            type={source === 'credential' ? 'password' : 'text'}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        {refusal !== undefined && at === undefined && (
          <p role="alert" className="failure">
            {refusal}
          </p>
        )}
        <FormFoot submit="Connect" isBusy={connect.isPending} onLeave={onClose} />
      </form>
    </Dialog>
  );
}

/** The field of the form for a field of the request; undefined if the form does not show it. */
function placeOf(field: string): 'host' | 'baseAddress' | 'credential' | undefined {
  if (field.startsWith('credential')) return 'credential';
  return field === 'host' || field === 'baseAddress' ? field : undefined;
}
