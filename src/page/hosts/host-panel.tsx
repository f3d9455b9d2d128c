import { getRouteApi, Link } from '@tanstack/react-router';
import { useAct } from '#page/acts/use-act.ts';
import { type Host, HostState } from '#page/client/host/v1/host_pb.js';
import { hosts } from '#page/fleet/host-client.ts';
import { lookOf } from '#page/fleet/look.ts';
import { useAgentsByHost, useHosts } from '#page/fleet/use-hosts.ts';
import { Fact, SidePanel } from '#page/panel/side-panel.tsx';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { useKeys } from '#page/parts/keys.ts';
import { Trouble } from '#page/parts/trouble.tsx';
import { When } from '#page/parts/when.tsx';
import { ForgetHost } from './forget-host.tsx';
import { ForgetKey } from './forget-key.tsx';
import { HarnessFiles } from './harness-files.tsx';
import { HostLogs } from './host-logs.tsx';
import { HostTags, isCutOff } from './hosts-screen.tsx';
import { LoadFacts } from './load.tsx';

const route = getRouteApi('/hosts/$hostId');
const back = { to: '/hosts', label: 'All hosts' } as const;

/** One host: whether it takes new agents, and those that it carries. */
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
      label: `${draining ? 'Undrain' : newcomer ? 'Admit' : 'Drain'} ${name}`,
      call: () => hosts.drainHost({ hostId: host.id, undo: isLeftOut }),
      done: isLeftOut ? `${name} takes new agents` : `${name} takes no new agents; those on it continue`,
    });
  useKeys({ d: drain });
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
      <div className="acts" role="toolbar" aria-label="Acts">
        <button type="button" className="button" disabled={isBusy} onClick={drain} aria-keyshortcuts="d">
          {draining ? 'Take new agents again' : newcomer ? 'Admit' : 'Drain'} <kbd>d</kbd>
        </button>
        {host.state !== HostState.LOST && <HostLogs host={host} />}
        {host.state === HostState.LOST && <ForgetHost host={host} />}
        {host.state === HostState.LOST && <ForgetKey host={host} />}
      </div>
      {host.rival && (
        <section className="section">
          <h3>Ambiguous</h3>
          <p>
            {host.rival.machine} with {host.rival.folder} comes with the same host.id and host.key, and is refused:{' '}
            <code>muster doctor</code> says what to do.
          </p>
        </section>
      )}
      {host.foundTerminals.length > 0 && (
        <section className="section">
          <h3>Terminals without an agent</h3>
          <p>
            {host.foundTerminals.join(', ')} run here: their agents were abandoned while this host was away, or the
            database does not know them, for example after a restore. They are left alone: <code>muster doctor</code>{' '}
            says how to see and end them.
          </p>
        </section>
      )}
      {isCutOff(host) && (
        <p className="failure" role="status">
          Agents on it do not reach muster at <code>{host.gatewayUrl}</code>: {host.gatewayFault}. Set MUSTER_URL there
          to where it reaches the gateway, start <code>muster host</code> again, and archive and restore its agents.
        </p>
      )}
      <section className="section">
        <h3>Agents</h3>
        {agents.length === 0 && <p className="muted">None.</p>}
        <ul className="carried" aria-label={`Agents on ${name}`}>
          {agents.map((agent) => (
            <li key={agent.id}>
              <Link to="/agents/$agentId" params={{ agentId: agent.id }} preload={false}>
                {agent.name}
              </Link>
              <span className="look" data-kind={lookOf(agent).kind}>
                {lookOf(agent).word}
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
