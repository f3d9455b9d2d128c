import { getRouteApi, Link } from '@tanstack/react-router';
import { elapsedText } from '#contract/elapsed.ts';
import { clockText } from '#contract/host/host-standing.ts';
import { cutOffWarning, foundTerminalsWarning, rivalWarning } from '#contract/host/host-warnings.ts';
import { byteText } from '#contract/host/load-reading.ts';
import { useAct } from '#page/acts/use-act.ts';
import { type Host, HostState, type StartedMove } from '#page/client/host/v1/host_pb.js';
import { statusOf } from '#page/fleet/agent-status.ts';
import { hosts } from '#page/fleet/host-client.ts';
import { useAgentsByHost, useHosts } from '#page/fleet/use-hosts.ts';
import { Fact, SidePanel } from '#page/panel/side-panel.tsx';
import { CodeText } from '#page/parts/code-text.tsx';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { useKeys } from '#page/parts/keys.ts';
import { Trouble } from '#page/parts/trouble.tsx';
import { When } from '#page/parts/when.tsx';
import { ForgetHost } from './forget-host.tsx';
import { ForgetKey } from './forget-key.tsx';
import { HarnessFiles } from './harness-files.tsx';
import { HostLogs } from './host-logs.tsx';
import { HostSettings } from './host-settings.tsx';
import { HostTags, isCutOff } from './hosts-screen.tsx';
import { LoadFacts } from './load.tsx';
import { RemoveHost } from './remove-host.tsx';

const route = getRouteApi('/hosts/$hostId');
const back = { to: '/hosts', label: 'All hosts' } as const;

/** A host: whether it takes new agents, its warnings, and the agents on it. */
export function HostPanel() {
  const { hostId } = route.useParams();
  const { data, error } = useHosts();
  const host = data?.hosts.find(({ id }) => id === hostId);
  if (host === undefined) {
    return (
      <SidePanel label="Host" title="…" back={back}>
        <Trouble error={error} />
        {data !== undefined && <p className="muted">There is no host with this id.</p>}
      </SidePanel>
    );
  }
  return <Panel key={hostId} host={host} />;
}

function Panel({ host }: { readonly host: Host }) {
  const { act, isBusy } = useAct(['hosts']);
  const agents = useAgentsByHost().get(host.id) ?? [];
  const { name, draining, newcomer } = host;
  const isLeftOut = draining || newcomer;
  const drain = (): void =>
    act({
      label: `${draining ? 'Uncordon' : newcomer ? 'Admit' : 'Cordon'} ${name}`,
      call: () => hosts.drainHost({ hostId: host.id, undo: isLeftOut }),
      done: isLeftOut ? `${name} takes new agents` : `${name} takes no new agents; those on it continue`,
    });
  const moveAway = (): void =>
    act({
      label: `Move the agents of ${name}`,
      call: () => hosts.drainHost({ hostId: host.id, move: true }),
      done: ({ moves }) => movesText(name, moves),
    });
  useKeys({ c: drain });
  return (
    <SidePanel
      label={`Host ${name}`}
      title={name}
      back={back}
      standing={
        <p className="standing">
          <HostTags host={host} />
        </p>
      }
    >
      <div className="acts" role="toolbar" aria-label="Actions">
        <button type="button" className="button" disabled={isBusy} onClick={drain} aria-keyshortcuts="c">
          {draining ? 'Uncordon' : newcomer ? 'Admit' : 'Cordon'} <kbd>c</kbd>
        </button>
        {agents.length > 0 && (
          <button type="button" className="button" disabled={isBusy} onClick={moveAway}>
            Move its agents
          </button>
        )}
        <HostSettings host={host} />
        {host.state === HostState.ONLINE && <HostLogs host={host} />}
        <RemoveHost host={host} />
        {host.state === HostState.LOST && <ForgetHost host={host} />}
        {host.state !== HostState.ONLINE && <ForgetKey host={host} />}
      </div>
      {host.rival && (
        <section className="section">
          <h3>Duplicate host</h3>
          <p>
            <CodeText text={sentence(rivalWarning(host.rival))} />
          </p>
        </section>
      )}
      {host.foundTerminals.length > 0 && (
        <section className="section">
          <h3>Terminals without an agent</h3>
          <p>
            <CodeText text={sentence(foundTerminalsWarning(host.foundTerminals))} />
          </p>
        </section>
      )}
      {isCutOff(host) && (
        <p className="failure" role="status">
          <CodeText text={sentence(cutOffWarning(host))} />
        </p>
      )}
      {host.faults.map((fault) => (
        <p key={fault} className="failure" role="status">
          <CodeText text={sentence(fault)} />
        </p>
      ))}
      <section className="section">
        <h3>Agents</h3>
        {agents.length === 0 && <p className="muted">None.</p>}
        <ul className="carried" aria-label={`Agents on ${name}`}>
          {agents.map((agent) => (
            <li key={agent.id}>
              <Link to="/agents/$agentId" params={{ agentId: agent.id }} preload={false}>
                {agent.name}
              </Link>
              <span className="agent-status" data-kind={statusOf(agent).kind}>
                {statusOf(agent).word}
              </span>
              <span className="muted">
                <Elapsed since={agent.stateChangedAt || agent.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      </section>
      <HarnessFiles host={host} />
      <dl className="facts">
        <LoadFacts host={host} />
        <Fact name="At work">{`${host.agentsAtWork} of ${host.agents} agents${host.state === HostState.ONLINE ? '' : ' (last known)'}`}</Fact>
        <Fact name="Labels">{host.labels.join(' ')}</Fact>
        <Fact name="Room">{roomText(host)}</Fact>
        <Fact name="Lost after">{`${elapsedText(host.patienceSeconds * 1_000)} of silence`}</Fact>
        <Fact name="Protocol">{host.protocol > 0 && String(host.protocol)}</Fact>
        <Fact name="Clock">{clockText(host.clockOffsetMs)}</Fact>
        <Fact name="Seen">
          <When at={host.seenAt} />
        </Fact>
        <Fact name="Harnesses">{host.harnesses.join(', ')}</Fact>
        <Fact name="Id">
          <code>{host.id}</code>
        </Fact>
      </dl>
    </SidePanel>
  );
}

/** How many agents of a host move, and why the others stay. */
function movesText(name: string, moves: readonly StartedMove[]): string {
  const staying = moves.filter(({ refusal }) => refusal !== '');
  const why = staying.map(({ agent, refusal }) => `; ${agent?.name ?? ''} stays: ${refusal}`).join('');
  return `${name} takes no new agents; ${moves.length - staying.length} of ${moves.length} agents move once they are at rest${why}`;
}

/** For example `3 of 10 agents; 1 of 16 launches in progress, at most 4 with a setup script`. */
function roomText(host: Host): string {
  const { agents, agentsAtWork, launches, maxAgents, maxAtWork, maxLaunches, maxSetups, minDiskFreeMib } = host;
  const atOnce = `${launches} of ${maxLaunches} launches in progress, at most ${maxSetups} with a setup script`;
  return [
    ...(maxAgents > 0 ? [`${agents} of ${maxAgents} agents`] : []),
    ...(maxAtWork > 0 ? [`${agentsAtWork} of ${maxAtWork} at work`] : []),
    atOnce,
    ...(minDiskFreeMib > 0 ? [`launches wait below ${byteText(minDiskFreeMib * 1024 ** 2)} of free disk`] : []),
  ].join('; ');
}

function sentence(warning: string): string {
  return `${warning.charAt(0).toUpperCase()}${warning.slice(1)}.`;
}
