import { endingText } from '#contract/agent/ending-text.ts';
import { byteText } from '#contract/host/load-reading.ts';
import { enumName } from '#page/api/enum-name.ts';
import {
  type Agent,
  type AgentEnding,
  AgentEndingKindSchema,
  AgentRole,
  type AgentRow,
} from '#page/client/agent/v1/agent_pb.js';
import { Isolation } from '#page/client/shared/v1/shared_pb.js';
import { AgentName, HostName, WorkflowName } from '#page/fleet/names.tsx';
import { Parked } from '#page/panel/parked.tsx';
import { Fact } from '#page/panel/side-panel.tsx';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { webAddress } from '#page/parts/web-address.ts';
import { AgentResult } from './agent-result.tsx';
import { NewerThanRules } from './host-warnings.tsx';
import { RefusedConnections } from './refused-connections.tsx';
import { UnconfirmedRepository } from './unconfirmed-repository.tsx';
import { WholePrompt } from './whole-prompt.tsx';

const roles: Readonly<Record<AgentRole, string>> = {
  [AgentRole.UNSPECIFIED]: 'implementer',
  [AgentRole.IMPLEMENTER]: 'implementer',
  [AgentRole.REVIEWER]: 'reviewer',
  [AgentRole.ORCHESTRATOR]: 'orchestrator',
};

/** The end of a CLI with its kind by name. */
function named({ kind, exitStatus, signal, exceeded }: AgentEnding) {
  return { kind: enumName(AgentEndingKindSchema, kind), exitStatus, signal, exceeded };
}

const isolations: Readonly<Partial<Record<Isolation, string>>> = {
  [Isolation.SANDBOX]: 'in a sandbox',
  [Isolation.CONTAINER]: 'in a container',
};

/** The properties of an agent: where it works, since when, and who launched it. */
export function AgentFacts({ row, agent }: { readonly row: AgentRow; readonly agent: Agent }) {
  const pull = row.pullRequest;
  return (
    <>
      <WholePrompt agent={agent} />
      {agent.resultAt !== '' && <AgentResult agent={agent} />}
      <dl className="facts">
        <Fact name="Workflow">
          <WorkflowName workflowId={agent.workflowId} />
        </Fact>
        <Fact name="Harness">
          {agent.harness} {agent.harnessVersion}
          <NewerThanRules agent={agent} />
        </Fact>
        <Fact name="Account">{row.account}</Fact>
        <Fact name="Parked">{agent.park && <Parked park={agent.park} />}</Fact>
        <Fact name="Role">{roles[agent.role]}</Fact>
        <Fact name="Isolation">{isolations[agent.isolation]}</Fact>
        <Fact name="Refused connections">
          {agent.refusedConnections.length > 0 && (
            <RefusedConnections workflowId={agent.workflowId} refused={agent.refusedConnections} />
          )}
        </Fact>
        <Fact name="Branch">{agent.branch && <code>{agent.branch}</code>}</Fact>
        <Fact name="Folder">{agent.cwd && <code>{agent.cwd}</code>}</Fact>
        <Fact name="Disk">
          {agent.diskMeasuredAt && (
            <>
              {byteText(Number(agent.diskBytes))}, measured <Elapsed since={agent.diskMeasuredAt} /> ago
            </>
          )}
        </Fact>
        <Fact name="Head">{agent.headSha && <code>{agent.headSha.slice(0, 12)}</code>}</Fact>
        <Fact name="Pull request">
          {row.unconfirmedRepositoryUrl !== '' && (
            <UnconfirmedRepository workflowId={agent.workflowId} remoteUrl={row.unconfirmedRepositoryUrl} />
          )}
          {pull?.url && (
            <a href={webAddress(pull.url)} target="_blank" rel="noreferrer">
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
        <Fact name="Ended">{agent.ending && endingText(named(agent.ending))}</Fact>
        <Fact name="Turns">{agent.turns > 0 && String(agent.turns)}</Fact>
        <Fact name="Host">{agent.hostId && <HostName hostId={agent.hostId} />}</Fact>
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
