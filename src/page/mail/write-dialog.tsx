import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { agents } from '#page/api/clients.ts';
import type { Mail } from '#page/client/agent/v1/agent_pb.js';
import { useFleet } from '#page/fleet/fleet.ts';
import { Dialog } from '#page/parts/dialog.tsx';
import { Field } from '#page/parts/field.tsx';
import { tell } from '#page/parts/notices.tsx';
import { Trouble } from '#page/parts/trouble.tsx';

interface WriteProps {
  /** The mail that is answered; a new thread begins where it is undefined. */
  readonly answered: Mail | undefined;
  readonly onClose: () => void;
  readonly onSent?: (mailId: string) => void;
}

/** Writes to an agent as a person. Sent twice by a doubtful connection, it is one mail. */
export function WriteDialog({ answered, onClose, onSent }: WriteProps) {
  const queries = useQueryClient();
  const { rows } = useFleet();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const known = [...rows.values()].flatMap(({ agent }) => agent ?? []).sort((a, b) => a.name.localeCompare(b.name));
  const partner = answered && (answered.fromAgentId || answered.toAgentId);
  const send = useMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string): string => String(form.get(name) ?? '').trim();
      const inReplyTo = answered?.id ?? '';
      const agentId = text('to');
      return agents.sendMail({ agentId, subject: text('subject'), body: text('body'), inReplyTo, idempotencyKey });
    },
    onSuccess: ({ mail }) => {
      tell({ tone: 'done', text: `${mail?.toName} is called to it when it is idle` });
      void queries.invalidateQueries({ queryKey: ['mail'] });
      onClose();
      if (mail !== undefined) onSent?.(mail.id);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!send.isPending) send.mutate(new FormData(event.currentTarget));
  };
  const about = answered?.subject ? `Re: ${answered.subject.replace(/^Re: /, '')}` : '';
  return (
    <Dialog title={answered === undefined ? 'Write to an agent' : 'Reply'} onClose={onClose}>
      <form className="body form" onSubmit={submit}>
        <Field label="To">
          <select name="to" defaultValue={partner}>
            {known.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Subject">
          <input name="subject" defaultValue={about} autoComplete="off" />
        </Field>
        <Field label="Mail">
          <textarea
            name="body"
            rows={7}
            required
            data-first={answered === undefined ? undefined : true}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
        </Field>
        <Trouble error={send.error} />
        <div className="foot">
          <span className="hint">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd> sends
          </span>
          <button type="submit" className="button primary" disabled={send.isPending || known.length === 0}>
            {send.isPending ? 'Sending …' : 'Send'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
