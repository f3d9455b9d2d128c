import { useState } from 'react';
import { useAct } from '#page/acts/use-act.ts';
import { agents } from '#page/api/clients.ts';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { Confirm } from '#page/dialog/confirm.tsx';
import { isOnLostHost, useHost } from '#page/fleet/use-hosts.ts';

/** Opens the dialog of a move, or ends one that is not over. */
export function MoveButton({ agent, onOpen }: { readonly agent: Agent; readonly onOpen: () => void }) {
  const { act, isBusy } = useAct();
  const [isAsking, setAsking] = useState(false);
  const { id: agentId, name, movingTo, hostId } = agent;
  const isLost = isOnLostHost(agent, useHost(hostId));
  const cancel = (gone: boolean): void => {
    setAsking(false);
    act({
      label: `Cancel the move of ${name}`,
      call: () => agents.moveAgent({ agentId, cancel: true, gone }),
      done: `${name} does not move`,
    });
  };
  if (movingTo === '') {
    return (
      <button type="button" className="button" onClick={onOpen}>
        Move
      </button>
    );
  }
  return (
    <>
      <button type="button" className="button" disabled={isBusy} onClick={() => cancel(false)}>
        Cancel move
      </button>
      {isLost && (
        <button type="button" className="button" disabled={isBusy} onClick={() => setAsking(true)}>
          Its host is gone
        </button>
      )}
      {isAsking && (
        <Confirm
          question={`Is the lost host ${movingTo} gone?`}
          what={`${name} may run there, and returns at once to where it came from. If it does run there, it runs twice: confirm only if that machine is off, or its window there is closed.`}
          yes="It is gone"
          onYes={() => cancel(true)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
