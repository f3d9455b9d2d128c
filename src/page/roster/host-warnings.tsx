import { newerText } from '#contract/pane/harness-version.ts';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { HostState } from '#page/client/host/v1/host_pb.js';
import { useHost } from '#page/fleet/use-hosts.ts';
import { Elapsed } from '#page/parts/elapsed.tsx';

/** A warning that an agent's CLI is newer than the rules by which its host reads the screen; nothing if it is not. */
export function NewerThanRules({ agent }: { readonly agent: Agent }) {
  const recorded = useHost(agent.hostId)?.recordedHarnesses.find(({ harness }) => harness === agent.harness);
  const text = newerText(agent.harnessVersion, recorded?.recordedWith);
  return text === '' ? null : <span className="muted"> ({text})</span>;
}

/** A warning that an agent's state is outdated because its host is silent or lost; nothing if it is online. */
export function HostAway({ hostId }: { readonly hostId: string }) {
  const host = useHost(hostId);
  if (host === undefined || host.state === HostState.ONLINE) return null;
  return (
    <p className="failure" role="status">
      Its host {host.name} has been silent for <Elapsed since={host.seenAt} />: what you see is that old.
    </p>
  );
}
