import type { ProcessContext } from '#contract/process-context.ts';
import { type GatewayReach, type HostCondition, hostProtocol } from '#contract/wire/host-condition.ts';
import { systemName } from '#world/computer-name.ts';
import { resolveDirectory } from '#world/file/directory.ts';
import { MachineGauge } from '#world/process/machine-gauge.ts';

interface ConditionSource {
  /** The folder whose disk is measured. */
  readonly worktrees: string;
  /** The URL at which agents reach muster. */
  readonly gateway: { readonly reach: GatewayReach };
  /** By harness that it can launch, the CLI version that the rules were recorded with. */
  readonly recordedWith: () => Readonly<Record<string, string>>;
  /** Why tmux cannot hold panes, if the host holds them instead. */
  readonly tmuxFault?: string | undefined;
}

/** Measures the current condition of a host's machine. */
export function conditionOf(
  { version, config, certificates }: Pick<ProcessContext, 'version' | 'config' | 'certificates'>,
  { worktrees, gateway, recordedWith, tmuxFault }: ConditionSource,
): () => Promise<HostCondition> {
  const gauge = new MachineGauge(worktrees);
  const fixed = {
    system: systemName(),
    musterVersion: version,
    startedAt: Date.now(),
    protocol: hostProtocol,
    ...(tmuxFault !== undefined && { tmuxFault }),
  };
  return async () => ({
    ...fixed,
    ...endOf(certificates?.validity.until),
    load: await gauge.read(),
    stateFolder: await resolveDirectory(config.home),
    gateway: gateway.reach,
    recordedWith: { ...recordedWith() },
    clock: Date.now(),
  });
}

function endOf(certifiedUntil: number | undefined): Pick<HostCondition, 'certifiedUntil'> {
  return certifiedUntil !== undefined && Number.isFinite(certifiedUntil) ? { certifiedUntil } : {};
}
