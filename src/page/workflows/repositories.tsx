import { useAct } from '#page/acts/use-act.ts';
import { workflows } from '#page/api/clients.ts';
import type { Workflow } from '#page/client/workflow/v1/workflow_pb.js';

/** The repositories whose pull requests are read for a workflow's agents, and the unconfirmed ones. */
export function Repositories({ workflow }: { readonly workflow: Workflow }) {
  const { act, isBusy } = useAct(['workflows'], ['pull-requests']);
  const { id: workflowId, repositories, unconfirmedRepositories: unconfirmed } = workflow;
  if (repositories.length + unconfirmed.length === 0) return null;
  const confirm = (remoteUrl: string): void =>
    act({
      label: `Confirm ${remoteUrl}`,
      call: () => workflows.confirmRepository({ workflowId, remoteUrl }),
      done: `Pull requests of ${remoteUrl} are read`,
    });
  const withdraw = (remoteUrl: string): void =>
    act({
      label: `Disconnect ${remoteUrl}`,
      call: () => workflows.withdrawRepository({ workflowId, remoteUrl }),
      done: `Pull requests of ${remoteUrl} are no longer read`,
    });
  return (
    <section className="section">
      <h3>Pull requests</h3>
      <ul className="repositories" aria-label={`Repositories of ${workflow.name}`}>
        {repositories.map((url) => (
          <li key={url}>
            <code className="cut">{url}</code>
            <button
              type="button"
              className="quiet"
              disabled={isBusy}
              onClick={() => withdraw(url)}
              aria-label={`Disconnect ${url}`}
            >
              Disconnect
            </button>
          </li>
        ))}
        {unconfirmed.map((url) => (
          <li key={url}>
            <span className="cut">
              <code>{url}</code> <span className="muted">not confirmed, so not read</span>
            </span>
            <button
              type="button"
              className="button"
              disabled={isBusy}
              onClick={() => confirm(url)}
              aria-label={`Confirm ${url}`}
            >
              Confirm
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
