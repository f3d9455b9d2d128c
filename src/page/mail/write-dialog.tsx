import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent, KeyboardEvent } from 'react';
import { printable } from '#contract/printable.ts';
import { agents } from '#page/api/clients.ts';
import { actFailureText } from '#page/api/failure-text.ts';
import { useOnceKey } from '#page/api/use-once-key.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import type { Mail } from '#page/client/agent/v1/agent_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { useDraft } from '#page/dialog/use-draft.ts';
import { useFleet } from '#page/fleet/fleet.ts';
import { showNotice } from '#page/parts/notices.tsx';

interface WriteProps {
  /** The mail to reply to; undefined for a new thread. */
  readonly answered: Mail | undefined;
  readonly onClose: () => void;
  readonly onSent?: (mailId: string) => void;
}

/**
 * Sends a mail to an agent as a person. A mail that is sent twice because of a lost answer is delivered once, and an
 * unsent draft is kept. A reply goes only to the other party of the mail, even if that agent is gone and the service
 * refuses the reply.
 */
export function WriteDialog({ answered, onClose, onSent }: WriteProps) {
  const queries = useQueryClient();
  const keyOf = useOnceKey();
  const first = { to: replyRecipient(answered).id, subject: subjectFor(answered), body: '' };
  const { draft, write, clear } = useDraft(`mail ${answered?.id ?? ''}`, first);
  const send = useOneAct({
    mutationFn: ({ to: agentId, subject, body }: typeof draft) => {
      const mail = { agentId, subject: subject.trim(), body: body.trim(), inReplyTo: answered?.id ?? '' };
      return agents.sendMail({ ...mail, idempotencyKey: keyOf(mail) });
    },
    onSuccess: ({ mail }) => {
      showNotice({ tone: 'done', text: `${mail?.toName} is notified when idle` });
      void queries.invalidateQueries({ queryKey: ['mail'] });
      clear();
      onClose();
      if (mail !== undefined) onSent?.(mail.id);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    send.mutate(draft);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
  };
  return (
    <Dialog title={answered === undefined ? 'Write to an agent' : 'Reply'} onClose={onClose}>
      <form className="body form" onSubmit={submit}>
        <Field label="To">
          {answered === undefined ? (
            <Recipient to={draft.to} choose={(to) => write({ ...draft, to })} />
          ) : (
            <input readOnly value={printable(replyRecipient(answered).name)} />
          )}
        </Field>
        <Field label="Subject">
          <input
            value={draft.subject}
            autoComplete="off"
            onChange={({ target }) => write({ ...draft, subject: target.value })}
          />
        </Field>
        <Field label="Mail">
          <textarea
            rows={7}
            required
            dir="auto"
            data-first={answered === undefined ? undefined : true}
            value={draft.body}
            onChange={({ target }) => write({ ...draft, body: target.value })}
            onKeyDown={onKeyDown}
          />
        </Field>
        {send.error !== null && (
          <p role="alert" className="failure">
            {actFailureText(send.error)}
          </p>
        )}
        <div className="foot">
          <span className="hint">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd> sends
          </span>
          <button type="submit" className="button primary" disabled={send.isPending}>
            {send.isPending ? 'Sending …' : 'Send'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface RecipientProps {
  readonly to: string;
  readonly choose: (to: string) => void;
  /** The attributes that a field gives its input. */
  readonly id?: string;
}

/** A choice of the agents that can receive mail; none is chosen at first. */
function Recipient({ to, choose, ...marks }: RecipientProps) {
  const { rows } = useFleet();
  const known = [...rows.values()].flatMap(({ agent }) => (agent?.archivedAt === '' ? agent : []));
  known.sort((one, other) => one.name.localeCompare(other.name));
  return (
    <select {...marks} required value={to} onChange={({ target }) => choose(target.value)}>
      <option value="">Which agent?</option>
      {known.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** The recipient of a reply: the sender of the mail, or its recipient if a person sent it. */
function replyRecipient(answered: Mail | undefined): { readonly id: string; readonly name: string } {
  if (answered === undefined) return { id: '', name: '' };
  const { fromAgentId, fromName, toAgentId, toName } = answered;
  return fromAgentId === '' ? { id: toAgentId, name: toName } : { id: fromAgentId, name: fromName };
}

function subjectFor(answered: Mail | undefined): string {
  return answered?.subject ? `Re: ${answered.subject.replace(/^Re: /, '')}` : '';
}
