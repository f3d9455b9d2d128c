import { useAct } from '#page/acts/use-act.ts';
import { workflows } from '#page/api/clients.ts';

interface Props {
  readonly workflowId: string;
  /** Hosts with their ports, the newest last. */
  readonly refused: readonly string[];
}

/** The connections that an agent’s isolation refused, each with a button that allows it. */
export function RefusedConnections({ workflowId, refused }: Props) {
  const { act, isBusy } = useAct(['workflows']);
  const allow = (host: string): void =>
    act({
      label: `Allow ${host}`,
      call: () => workflows.allowConnections({ workflowId, hosts: [host] }),
      done: `${host} is allowed to the agents of this workflow`,
    });
  return (
    <ul className="plain">
      {refused.toReversed().map((host) => (
        <li key={host}>
          <code>{host}</code>{' '}
          <button type="button" className="button" disabled={isBusy} onClick={() => allow(host)}>
            Allow
          </button>
        </li>
      ))}
    </ul>
  );
}
