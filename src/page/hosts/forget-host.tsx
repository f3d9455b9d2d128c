import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '#page/acts/use-act.ts';
import type { Host } from '#page/client/host/v1/host_pb.js';
import { Confirm } from '#page/dialog/confirm.tsx';
import { hosts } from '#page/fleet/host-client.ts';
import { useKeys } from '#page/parts/keys.ts';

/** Forgets a lost host, once the person has confirmed that it will not return. */
export function ForgetHost({ host: { id, name } }: { readonly host: Host }) {
  const { act, isBusy } = useAct(['hosts']);
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const ask = (): void => setConfirming(true);
  const forget = (): void => {
    setConfirming(false);
    act({
      label: `Forget ${name}`,
      call: async () => {
        await hosts.forgetHost({ hostId: id });
        await navigate({ to: '/hosts', replace: true });
      },
      done: `${name} is forgotten`,
    });
  };
  useKeys({ x: ask });
  return (
    <>
      <button type="button" className="button" disabled={isBusy} onClick={ask} aria-keyshortcuts="x">
        Forget <kbd>x</kbd>
      </button>
      {isConfirming && (
        <Confirm
          question={`Forget ${name}?`}
          what="It is lost. The machine itself is not changed. If it returns, it is a new host. A host with agents, archived ones included, cannot be forgotten: abandon them first."
          yes="Forget"
          onYes={forget}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
