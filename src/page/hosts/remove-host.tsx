import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '#page/acts/use-act.ts';
import type { Host } from '#page/client/host/v1/host_pb.js';
import { Confirm } from '#page/dialog/confirm.tsx';
import { hosts } from '#page/fleet/host-client.ts';

/** Removes a host permanently, once the person has read what happens to its agents. */
export function RemoveHost({ host: { id, name, agents } }: { readonly host: Host }) {
  const { act, isBusy } = useAct(['hosts']);
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const remove = (): void => {
    setConfirming(false);
    act({
      label: `Remove ${name}`,
      call: async () => {
        await hosts.removeHost({ hostId: id, now: true });
        await navigate({ to: '/hosts', replace: true });
      },
      done: `${name} is removed`,
    });
  };
  const left =
    agents === 0
      ? 'No agent is on it.'
      : `${agents === 1 ? 'An agent is' : `${agents} agents are`} on it: muster can no longer read or steer them, and shows their last known state. Their programs continue.`;
  return (
    <>
      <button type="button" className="button" disabled={isBusy} onClick={() => setConfirming(true)}>
        Remove
      </button>
      {isConfirming && (
        <Confirm
          question={`Remove ${name} permanently?`}
          what={`Its keys are refused permanently, and muster on that machine stops. Windows and worktrees there stay as they are. ${left}`}
          yes="Remove"
          onYes={remove}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
