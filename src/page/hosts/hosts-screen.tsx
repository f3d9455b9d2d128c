import { useNavigate, useParams } from '@tanstack/react-router';
import { standingWord } from '#contract/host/host-standing.ts';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { type Host, HostState } from '#page/client/host/v1/host_pb.js';
import { statusOf } from '#page/fleet/agent-status.ts';
import { VirtualList } from '#page/list/virtual-list.tsx';
import { Split } from '#page/panel/split.tsx';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { Tag } from '#page/parts/tag.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import './hosts.css';
import { useAgentsByHost, useHosts, useQueuedAgents } from '#page/fleet/use-hosts.ts';
import { RowLink } from '#page/list/row-link.tsx';
import { Invitations } from './invitations.tsx';
import { InviteHost } from './invite-host.tsx';
import { LoadMeters } from './load.tsx';

/** The list of hosts with their load, and the selected one next to it. */
export function HostsScreen() {
  const { data, error } = useHosts();
  const { hostId: chosen } = useParams({ strict: false });
  const navigate = useNavigate();
  const byHost = useAgentsByHost();
  const list = data?.hosts ?? [];
  const max = Math.max(1, ...list.map(({ agents }) => agents));
  return (
    <Split title="Hosts" head={<InviteHost />} isOpen={chosen !== undefined}>
      <Trouble error={error} />
      <Invitations />
      <WaitingLaunches />
      <VirtualList
        label="Hosts"
        rows={list}
        idOf={({ id }) => id}
        rowHeight={66}
        rowProps={(host) => {
          const isLost = host.state !== HostState.ONLINE;
          const isWrong = isLost || isCutOff(host) || host.faults.length > 0;
          return { className: 'row host', 'data-wants': isWrong, 'data-lost': isLost };
        }}
        chosen={chosen}
        open={(hostId) => void navigate({ to: '/hosts/$hostId', params: { hostId }, replace: chosen !== undefined })}
        close={() => void navigate({ to: '/hosts' })}
        keys={{}}
      >
        {(host, place) => <HostRow host={host} agents={byHost.get(host.id) ?? []} max={max} {...place} />}
      </VirtualList>
    </Split>
  );
}

/** How many launches wait for room on a host, the first of them with its reason; nothing if none does. */
function WaitingLaunches() {
  const waiting = useQueuedAgents();
  const [first] = waiting;
  if (first === undefined) return null;
  return (
    <p className="split-part muted" role="status">
      {waiting.length === 1 ? '1 launch waits' : `${waiting.length} launches wait`} for room.{' '}
      <RowLink to="/agents/$agentId" params={{ agentId: first.id }} isChosen={false} tabIndex={0}>
        {first.name}
      </RowLink>{' '}
      {first.stateReason}
    </p>
  );
}

interface RowProps {
  readonly host: Host;
  readonly agents: readonly Agent[];
  /** How many agents the fullest host has. */
  readonly max: number;
  readonly isChosen: boolean;
  readonly tabIndex: 0 | -1;
}

function HostRow({ host, agents, max, isChosen, tabIndex }: RowProps) {
  return (
    <>
      <div>
        <RowLink to="/hosts/$hostId" params={{ hostId: host.id }} isChosen={isChosen} tabIndex={tabIndex}>
          {host.name}
        </RowLink>
        <p className="muted cut">{[...host.labels, host.harnesses.join(', ')].join(' ')}</p>
      </div>
      <p className="host-state">
        <HostTags host={host} />
      </p>
      <div className="host-meters">
        <Carries count={host.agents} agents={agents} max={max} />
        <LoadMeters host={host} />
      </div>
    </>
  );
}

/** Whether agents on an online host cannot reach muster. */
export const isCutOff = ({ state, gatewayFault }: Host) => state === HostState.ONLINE && gatewayFault !== '';

/** Tags for a host's state: whether it is online, can reach the gateway, and takes new agents. */
export function HostTags({ host }: { readonly host: Host }) {
  return (
    <>
      <span>
        {host.state === HostState.ONLINE ? (
          <Tag tone="good" word="online" />
        ) : (
          <Tag
            tone={host.state === HostState.SILENT ? 'wants' : 'bad'}
            word={host.state === HostState.SILENT ? 'silent' : 'lost'}
            title="it does not answer; its agents show their last known state"
          />
        )}{' '}
        {host.stateSince !== '' && (
          <span className="muted">
            for <Elapsed since={host.stateSince} />
          </span>
        )}
      </span>{' '}
      {host.state === HostState.ONLINE && host.faults.length > 0 && (
        <Tag
          tone="wants"
          word={host.faults.length === 1 ? '1 fault' : `${host.faults.length} faults`}
          title={host.faults.join('\n')}
        />
      )}{' '}
      {host.newcomer && <Tag tone="wants" word="new" title="a new host: agents are placed on it only by name" />}{' '}
      {isCutOff(host) && (
        <Tag tone="bad" word="agents cut off" title={`agents there cannot reach muster at ${host.gatewayUrl}`} />
      )}{' '}
      {host.draining && <Tag tone="wants" word={standingWord(host)} title="no new agents are placed on it" />}
    </>
  );
}

interface CarriesProps extends Pick<RowProps, 'agents' | 'max'> {
  /** How many there are, even while not all of them are loaded. */
  readonly count: number;
}

/** A bar of a host's agents by status. The bar of the fullest host has the full length. */
function Carries({ count, agents, max }: CarriesProps) {
  const kinds = [...Map.groupBy(agents, (agent) => statusOf(agent).kind)];
  return (
    <div className="meter">
      <span className="meter-name">Agents</span>
      <span className="meter-share">{count}</span>
      <span className="meter-bar">
        <svg className="carries-bar" viewBox={`0 0 ${max} 1`} preserveAspectRatio="none" aria-hidden="true">
          {kinds.map(([kind, those], at) => (
            <rect
              key={kind}
              data-kind={kind}
              x={kinds.slice(0, at).reduce((sum, [, before]) => sum + before.length, 0)}
              width={those.length}
              height="1"
            />
          ))}
        </svg>
      </span>
      <span className="meter-text">{agents.length > 0 ? countsOf(agents) : 'none'}</span>
    </div>
  );
}

/** For example `2 waiting, 1 idle`. */
function countsOf(agents: readonly Agent[]): string {
  const words = Map.groupBy(agents, (agent) => statusOf(agent).word.toLowerCase());
  return [...words].map(([word, those]) => `${those.length} ${word}`).join(', ');
}
