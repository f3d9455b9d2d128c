import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAct } from '#page/acts/use-act.ts';
import { type HostInvitation, HostInvitationState } from '#page/client/host/v1/host_pb.js';
import { hosts } from '#page/fleet/host-client.ts';
import { useHost } from '#page/fleet/use-hosts.ts';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { Tag } from '#page/parts/tag.tsx';
import { Trouble } from '#page/parts/trouble.tsx';

/** The invitations of the last day, and what happened to them; nothing if there are none. */
export function Invitations() {
  const { data, error } = useQuery({
    queryKey: ['hosts', 'invitations'],
    queryFn: ({ signal }) => hosts.listHostInvitations({}, { signal }),
  });
  if (error !== null) return <Trouble error={error} />;
  if (data === undefined || data.invitations.length === 0) return null;
  return (
    <section className="split-part" aria-label="Invitations">
      <h2>Invitations</h2>
      <ul className="carried">
        {data.invitations.map((invitation) => (
          <Invitation key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </section>
  );
}

function Invitation({ invitation }: { readonly invitation: HostInvitation }) {
  const { id, name, createdAt, labels } = invitation;
  const isOpen = useIsOpen(invitation);
  const { act, isBusy } = useAct(['hosts']);
  const title = name || 'any name';
  const withdraw = (): void =>
    act({
      label: `Withdraw the invitation of ${title}`,
      call: () => hosts.withdrawHostInvitation({ invitationId: id }),
      done: `The invitation of ${title} is withdrawn`,
    });
  return (
    <li>
      <span className="cut">
        {title} <span className="muted">{labels.join(' ')}</span>
      </span>
      <span>
        <InvitationTag invitation={invitation} isOpen={isOpen} />{' '}
        {isOpen && (
          <button type="button" className="button" disabled={isBusy} onClick={withdraw}>
            Withdraw<span className="unseen"> {title}</span>
          </button>
        )}
      </span>
      <span className="muted">
        <Elapsed since={createdAt} />
      </span>
    </li>
  );
}

interface InvitationTagProps {
  readonly invitation: HostInvitation;
  readonly isOpen: boolean;
}

function InvitationTag({ invitation: { state, hostId }, isOpen }: InvitationTagProps) {
  const host = useHost(hostId);
  if (isOpen) return <Tag tone="wants" word="open" title="a machine may join with it, once" />;
  if (state === HostInvitationState.USED) return <Tag tone="good" word={`used by ${host?.name ?? hostId}`} />;
  if (state === HostInvitationState.WITHDRAWN) return <Tag tone="plain" word="withdrawn" />;
  return <Tag tone="plain" word="ran out" title="it was not used within 15 minutes" />;
}

/** Whether a machine may still join with an invitation. It ends without a fact. */
function useIsOpen({ state, expiresAt }: HostInvitation): boolean {
  const left = Date.parse(expiresAt) - Date.now();
  const [hasEnded, setEnded] = useState(left <= 0);
  useEffect(() => {
    const timer = window.setTimeout(() => setEnded(true), Math.max(0, Date.parse(expiresAt) - Date.now()));
    return () => window.clearTimeout(timer);
  }, [expiresAt]);
  return state === HostInvitationState.OPEN && !hasEnded;
}
