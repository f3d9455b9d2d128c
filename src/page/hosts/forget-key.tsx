import { useState } from 'react';
import { useAct } from '#page/acts/use-act.ts';
import type { Host } from '#page/client/host/v1/host_pb.js';
import { Confirm } from '#page/dialog/confirm.tsx';
import { hosts } from '#page/fleet/host-client.ts';

/** Lets a host that lost its key connect with a new one. */
export function ForgetKey({ host: { id: hostId, name } }: { readonly host: Host }) {
  const { act, isBusy } = useAct(['hosts']);
  const [isConfirming, setConfirming] = useState(false);
  const forget = (): void => {
    setConfirming(false);
    act({
      label: `Forget the key of ${name}`,
      call: () => hosts.forgetHostKey({ hostId }),
      done: `${name} may use a new key`,
    });
  };
  return (
    <>
      <button type="button" className="button" disabled={isBusy} onClick={() => setConfirming(true)}>
        Forget key
      </button>
      {isConfirming && (
        <Confirm
          question={`Forget the key of ${name}?`}
          what="Only if the host is refused because it lost its key. The first machine that connects with the hosts’ bus password and a new key becomes this host."
          yes="Forget key"
          onYes={forget}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
