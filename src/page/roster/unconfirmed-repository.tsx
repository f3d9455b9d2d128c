import { useAct } from '#page/acts/use-act.ts';
import { workflows } from '#page/api/clients.ts';
import { WorkflowName } from '#page/fleet/names.tsx';

interface Props {
  readonly workflowId: string;
  readonly remoteUrl: string;
}

/** That nothing is read of the repository that an agent pushes to, and the button by which a person changes that. */
export function UnconfirmedRepository({ workflowId, remoteUrl }: Props) {
  const { act, isBusy } = useAct(['workflows']);
  const confirm = (): void =>
    act({
      label: `Confirm ${remoteUrl}`,
      call: () => workflows.confirmRepository({ workflowId, remoteUrl }),
      done: `Pull requests of ${remoteUrl} are read`,
    });
  return (
    <>
      <code>{remoteUrl}</code> is not confirmed for <WorkflowName workflowId={workflowId} />, so it is not read.{' '}
      <button type="button" className="button" disabled={isBusy} onClick={confirm}>
        Confirm
      </button>
    </>
  );
}
