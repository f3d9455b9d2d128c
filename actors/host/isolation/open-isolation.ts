import type { ProcessContext } from '#contract/process-context.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { sha256Of } from '#world/file/text-digest.ts';
import { Cgroups } from '#world/isolation/cgroups.ts';
import { AgentLogins } from '#world/isolation/login/agent-logins.ts';
import { makeSocketFolder } from '#world/tmux/socket-folder.ts';
import { AgentLimits } from './agent-limits.ts';
import { AgentNetworks } from './agent-networks.ts';
import { Isolation } from './isolation.ts';
import type { HostFolders } from './sandbox-spec.ts';

interface HostParts {
  readonly folders: Omit<HostFolders, 'stateFolder'>;
  /** The person's environment, which may name a proxy. */
  readonly environment: Readonly<Record<string, string>>;
  readonly harnesses: Pick<Harnesses, 'find'>;
  readonly programs: () => string;
  readonly actor: (agentId: string) => { send(event: AgentEvent): void } | undefined;
}

/** The isolation and the limits of a host's agents. Until the first agent that has some, they cost nothing. */
export function openIsolation(
  { config, busUrl, log, onStop }: ProcessContext,
  { folders: { worktrees, sandboxes, settings }, environment, harnesses, programs, actor }: HostParts,
): Isolation {
  const networks = new AgentNetworks({
    folder: () => makeSocketFolder(`${config.home}/run`),
    baseUrl: config.baseUrl,
    environment,
    onRefused: (agentId, destination) => actor(agentId)?.send({ type: 'CONNECTION_REFUSED', destination }),
  });
  const logins = new AgentLogins({ log });
  onStop(() => networks.stop());
  onStop(() => logins.stop());
  return new Isolation({
    folders: { stateFolder: config.home, worktrees, sandboxes, settings },
    networks,
    logins,
    limits: new AgentLimits({ cgroups: cgroupsOf(config.home), sandboxes, log }),
    harnesses,
    programs,
    env: environment,
    log,
    busPort: Number(new URL(busUrl.split(',')[0] ?? '').port || 4222),
  });
}

/** The control groups of a host's agents, named after its state folder, because a computer may have several hosts. */
function cgroupsOf(home: string): Cgroups {
  return new Cgroups(`${home}/cgroups.json`, `muster-${sha256Of(home).slice(0, 12)}`);
}
