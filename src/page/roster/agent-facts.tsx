import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { workflows } from '#page/api/clients.ts';
import { type Agent, AgentRole, type AgentRow } from '#page/client/agent/v1/agent_pb.js';
import { useRow } from '#page/fleet/fleet.ts';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { WholePrompt } from './whole-prompt.tsx';

const roles: Readonly<Record<AgentRole, string>> = {
  [AgentRole.UNSPECIFIED]: 'implementer',
  [AgentRole.IMPLEMENTER]: 'implementer',
  [AgentRole.REVIEWER]: 'reviewer',
  [AgentRole.ORCHESTRATOR]: 'orchestrator',
};

/** What an agent is: where it works, on what, since when, by whom. */
export function AgentFacts({ row, agent }: { readonly row: AgentRow; readonly agent: Agent }) {
  const pull = row.pullRequest;
  return (
    <>
      <WholePrompt agent={agent} />
      <dl className="facts">
        <Fact name="Workflow">
          <WorkflowName workflowId={agent.workflowId} />
        </Fact>
        <Fact name="Harness">{agent.harness}</Fact>
        <Fact name="Role">{roles[agent.role]}</Fact>
        <Fact name="Branch">{agent.branch && <code>{agent.branch}</code>}</Fact>
        <Fact name="Folder">{agent.cwd && <code>{agent.cwd}</code>}</Fact>
        <Fact name="Head">{agent.headSha && <code>{agent.headSha.slice(0, 12)}</code>}</Fact>
        <Fact name="Pull request">
          {pull?.url && (
            <a href={pull.url} target="_blank" rel="noreferrer">
              #{pull.number} {pull.title}
            </a>
          )}
        </Fact>
        <Fact name="Parent">{agent.parentAgentId && <AgentName agentId={agent.parentAgentId} />}</Fact>
        <Fact name="Launched by">{agent.spawnedByAgentId && <AgentName agentId={agent.spawnedByAgentId} />}</Fact>
        <Fact name="Launched">
          {agent.createdAt && (
            <>
              <Elapsed since={agent.createdAt} /> ago
            </>
          )}
        </Fact>
        <Fact name="Host">{agent.hostId && <code>{agent.hostId}</code>}</Fact>
        <Fact name="Id">
          <code>{agent.id}</code>
        </Fact>
        {agent.metadata.map(({ key, value }) => (
          <Fact key={key} name={key}>
            {value}
          </Fact>
        ))}
      </dl>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  if (children === '' || children === undefined || children === false) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function WorkflowName({ workflowId }: { readonly workflowId: string }) {
  const { data } = useQuery({
    queryKey: ['workflows'],
    queryFn: ({ signal }) => workflows.listWorkflows({ pagination: { pageSize: 200 } }, { signal }),
    staleTime: 60_000,
  });
  return data?.workflows.find(({ id }) => id === workflowId)?.name ?? workflowId;
}

function AgentName({ agentId }: { readonly agentId: string }) {
  const row = useRow(agentId);
  return (
    <Link to="/agents/$agentId" params={{ agentId }}>
      {row?.agent?.name ?? agentId}
    </Link>
  );
}
