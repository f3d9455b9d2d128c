import { Isolation } from '#page/client/shared/v1/shared_pb.js';
import { Field } from '#page/dialog/field.tsx';
import { More } from '#page/parts/more.tsx';
import { Choice } from './choice.tsx';
import { type PartProps, TextInput } from './fields.tsx';
import { type isolationWords, networkWords } from './words.ts';

/** What separates its agents from their host, and what they may reach. */
export function IsolationFields({ choices, ...props }: PartProps & { readonly choices: typeof isolationWords }) {
  const { draft, set, wrong } = props;
  const fields = ['image', 'allowedHosts', 'loopbackPorts', 'readable', 'writable'] as const;
  const isSet = draft.isolation > Isolation.NONE || fields.some((field) => draft[field] !== '');
  const wanted = isSet || fields.some((field) => wrong(field) !== undefined);
  return (
    <More title="Isolation" wanted={wanted}>
      <div className="pair">
        <Field label="Agents run" wrong={wrong('isolation')}>
          <Choice words={choices} value={draft.isolation} choose={(isolation) => set({ isolation })} />
        </Field>
        <Field label="Network reaches" wrong={wrong('network')}>
          <Choice words={networkWords} value={draft.network} choose={(network) => set({ network })} />
        </Field>
      </div>
      {(draft.isolation === Isolation.CONTAINER || draft.image !== '') && (
        <TextInput {...props} field="image" label="Image" placeholder="docker.io/library/node:24" />
      )}
      <div className="pair">
        <TextInput
          {...props}
          field="allowedHosts"
          label="Allowed hosts"
          rows={2}
          placeholder="registry.npmjs.org"
          hint="names, or *.example.com, one per line"
        />
        <TextInput
          {...props}
          field="loopbackPorts"
          label="Ports of their host"
          rows={2}
          placeholder="5432"
          hint="on 127.0.0.1, one per line"
        />
      </div>
      <div className="pair">
        <TextInput {...props} field="readable" label="May read" rows={2} hint="absolute or ~/, one per line" />
        <TextInput {...props} field="writable" label="May change" rows={2} hint="absolute or ~/, one per line" />
      </div>
    </More>
  );
}
