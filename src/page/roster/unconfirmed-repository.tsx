import { useAct } from '#page/acts/use-act.ts';
import { workflows } from '#page/api/clients.ts';
import { WorkflowName } from '#page/fleet/names.tsx';

interface Props {
  readonly workflowId: string;
  readonly remoteUrl: string;
}

/** A notice that the repository to which an agent pushes is not read, with a button that confirms the repository. */
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
