import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workflows } from '#page/api/clients.ts';
import { useRow } from './fleet.ts';

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

interface AgentNameProps {
  readonly agentId: string;
  /** What it was called by last, where it is not in the list any more. */
  readonly name?: string;
  /** In a list that has keys of its own, whether Tab comes to it. */
  readonly tabIndex?: 0 | -1;
}

/** An agent by its name, which leads to it. */
export function AgentName({ agentId, name, tabIndex }: AgentNameProps) {
  const row = useRow(agentId);
  return (
    <Link to="/agents/$agentId" params={{ agentId }} preload={false} className="above" {...{ tabIndex }}>
      {row?.agent?.name ?? name ?? agentId}
    </Link>
  );
}
