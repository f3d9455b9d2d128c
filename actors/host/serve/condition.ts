import type { ProcessContext } from '#contract/process-context.ts';
import { type GatewayReach, type HostCondition, hostProtocol } from '#contract/wire/host-condition.ts';
import { resolveDirectory } from '#world/file/directory.ts';
import { systemName } from '#world/machine-name.ts';
import { MachineGauge } from '#world/process/machine-gauge.ts';

interface ConditionSource {
  /** The folder whose disk is measured. */
  readonly worktrees: string;
  /** The host's state folder. */
  readonly home: string;
  /** How agents reach muster. */
  readonly reach: () => GatewayReach;
  /** By harness that it can launch, the CLI version that the rules were recorded with. */
  readonly recordedWith: () => Readonly<Record<string, string>>;
}

/** Measures the current condition of a host's machine. */
export function conditionOf(
  { version }: Pick<ProcessContext, 'version'>,
  { worktrees, home, reach, recordedWith }: ConditionSource,
): () => Promise<HostCondition> {
  const gauge = new MachineGauge(worktrees);
  const fixed = { system: systemName(), musterVersion: version, startedAt: Date.now(), protocol: hostProtocol };
  return async () => ({
    ...fixed,
    load: await gauge.read(),
    stateFolder: await resolveDirectory(home),
    gateway: reach(),
    recordedWith: { ...recordedWith() },
    clock: Date.now(),
  });
}
