import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workflows } from '#page/api/clients.ts';
import { useRow } from '#page/fleet/fleet.ts';

/** The workflows, for choosing one and for their names. */
export function useWorkflows() {
  return useQuery({
    queryKey: ['workflows'],
    queryFn: ({ signal }) => workflows.listWorkflows({ pagination: { pageSize: 200 } }, { signal }),
    staleTime: 60_000,
  });
}

/** A workflow by its name; by its id where it is not known. */
export function WorkflowName({ workflowId }: { readonly workflowId: string }) {
  const { data } = useWorkflows();
  return data?.workflows.find(({ id }) => id === workflowId)?.name ?? workflowId;
}

/** An agent by its name, which leads to it. `name` is what it was called by last, where it is not in the list any more. */
export function AgentName({ agentId, name }: { readonly agentId: string; readonly name?: string }) {
  const row = useRow(agentId);
  return (
    <Link to="/agents/$agentId" params={{ agentId }} preload={false} className="above">
      {row?.agent?.name ?? name ?? agentId}
    </Link>
  );
}
