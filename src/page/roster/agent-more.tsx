import { type FormEvent, useState } from 'react';
import { agents } from '#page/api/clients.ts';
import { actFailureText } from '#page/api/failure-text.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import type { AgentRow } from '#page/client/agent/v1/agent_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { FormFoot } from '#page/dialog/form-foot.tsx';
import { copy } from '#page/parts/copy.ts';
import { More } from '#page/parts/more.tsx';
import { MoveButton } from './move-button.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { TokenDialog } from './token-dialog.tsx';

/** Rarely used actions: renaming, marking, moving to another host, attaching from a terminal, and tokens. */
export function AgentMore({ row }: { readonly row: AgentRow }) {
  const [open, setOpen] = useState<'name' | 'mark' | 'token' | 'move'>();
  const close = (): void => setOpen(undefined);
  const { agent } = row;
  if (agent === undefined) return null;
  const { id: agentId, name, alive } = agent;
  const attach = async (): Promise<void> => {
    // The call is refused if there is no window to attach to.
    const command = `muster attach ${/^[A-Za-z][\w.-]*$/.test(name) ? name : agentId}`;
    await copy(`“${command}” is`, async () => {
      await agents.attachAgent({ agentId });
      return command;
    });
  };
  return (
    <More title="Rename, mark, move, attach, token" wanted={false}>
      <div className="acts" role="toolbar" aria-label="More actions">
        <button type="button" className="button" onClick={() => setOpen('name')}>
          Rename
        </button>
        <button type="button" className="button" onClick={() => setOpen('mark')} aria-keyshortcuts="m">
          Mark <kbd>m</kbd>
        </button>
        <MoveButton agent={agent} onOpen={() => setOpen('move')} />
        {alive && (
          <button type="button" className="button" onClick={() => void attach()}>
            Copy attach command
          </button>
        )}
        <button type="button" className="button" onClick={() => setOpen('token')}>
          Token
        </button>
      </div>
      {open === 'name' && (
        <OneField
          title={`Rename ${name}`}
          label="Name"
          before={name}
          save={(value) => agents.renameAgent({ agentId, name: value })}
          onClose={close}
        />
      )}
      {open === 'mark' && (
        <OneField
          title={`Mark ${name}`}
          label="Mark"
          hint="a letter from a to z; ' and the letter jump to the agent; empty: none"
          before={row.mark}
          save={(value) => agents.markAgent({ agentId, mark: value })}
          onClose={close}
        />
      )}
      {open === 'move' && <MoveDialog agent={agent} onClose={close} />}
      {open === 'token' && <TokenDialog agentId={agentId} name={name} onClose={close} />}
    </More>
  );
}

interface OneFieldProps {
  readonly title: string;
  readonly label: string;
  readonly hint?: string;
  readonly before: string;
  readonly save: (value: string) => Promise<unknown>;
  readonly onClose: () => void;
}

function OneField({ title, label, hint, before, save, onClose }: OneFieldProps) {
  const [value, write] = useState(before);
  const saving = useOneAct({ mutationFn: () => save(value.trim()), onSuccess: onClose });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  const wrong = saving.error === null ? undefined : actFailureText(saving.error);
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="body form" onSubmit={submit} noValidate>
        <Field label={label} wrong={wrong} {...(hint !== undefined && { hint })}>
          <input
            value={value}
            autoComplete="off"
            onChange={({ target }) => {
              saving.reset();
              write(target.value);
            }}
          />
        </Field>
        <FormFoot submit="Save" isBusy={saving.isPending} onLeave={onClose} />
      </form>
    </Dialog>
  );
}
