import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workflows } from '#page/api/clients.ts';
import type { Isolation } from '#page/client/shared/v1/shared_pb.js';
import type { Workflow } from '#page/client/workflow/v1/workflow_pb.js';
import { useIsWhole, useRow } from './fleet.ts';
import { useLastName } from './last-name.ts';
import { useHost, useRemovedHostName } from './use-hosts.ts';

interface Listed {
  readonly workflows: readonly Workflow[];
  /** What isolates the agents of a new workflow that does not say. */
  readonly defaultIsolation: Isolation;
}

/** All workflows, most recently updated first. */
async function listAll(signal: AbortSignal): Promise<Listed> {
  const all = new Map<string, Workflow>();
  for (let cursor = ''; ; ) {
    const page = await workflows.listWorkflows({ pagination: { cursor, pageSize: 200 } }, { signal });
    for (const workflow of page.workflows) all.set(workflow.id, workflow);
    cursor = page.nextPageToken;
    if (cursor === '') return { workflows: [...all.values()], defaultIsolation: page.defaultIsolation };
  }
}

/** The workflows, for choosing one and for their names. */
export function useWorkflows() {
  return useQuery({ queryKey: ['workflows'], queryFn: ({ signal }) => listAll(signal), staleTime: 60_000 });
}

/** The name of a workflow; its id if the name is not known. */
export function WorkflowName({ workflowId }: { readonly workflowId: string }) {
  const { data, isPending } = useWorkflows();
  if (isPending) return '…';
  const name = data?.workflows.find(({ id }) => id === workflowId)?.name;
  if (name === undefined) return workflowId;
  return (
    <Link to="/workflows/$workflowId" params={{ workflowId }} preload={false} className="above">
      {name}
    </Link>
  );
}

/** The name of a host, as a link to it. A removed one has no page any more. */
export function HostName({ hostId }: { readonly hostId: string }) {
  const host = useHost(hostId);
  const removed = useRemovedHostName(hostId);
  if (removed !== undefined) return removed;
  return (
    <Link to="/hosts/$hostId" params={{ hostId }} preload={false}>
      {host?.name ?? hostId}
    </Link>
  );
}

interface AgentNameProps {
  readonly agentId: string;
  /** Its last name, if it is no longer in the list. */
  readonly name?: string;
  /** Whether Tab reaches it, in a list with its own keys. */
  readonly tabIndex?: 0 | -1;
}

/** The name of an agent, as a link to it. */
export function AgentName({ agentId, name, tabIndex }: AgentNameProps) {
  const row = useRow(agentId);
  const isWhole = useIsWhole();
  const lastName = useLastName(agentId, isWhole && row === undefined && name === undefined);
  return (
    <Link to="/agents/$agentId" params={{ agentId }} preload={false} className="above" {...{ tabIndex }}>
      {row?.agent?.name ?? name ?? lastName ?? agentId}
    </Link>
  );
}
