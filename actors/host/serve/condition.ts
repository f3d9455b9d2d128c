import type { ProcessContext } from '#contract/process-context.ts';
import type { GatewayReach, HostCondition } from '#contract/wire/host-condition.ts';
import { resolveDirectory } from '#world/file/directory.ts';
import { systemName } from '#world/machine-name.ts';
import { MachineGauge } from '#world/process/machine-gauge.ts';

interface Told {
  /** The folder whose disk is meant. */
  readonly worktrees: string;
  /** The host's own folder. */
  readonly home: string;
  /** How agents reach muster. */
  readonly reach: () => GatewayReach;
}

/** Tells how a host's machine is at the moment. */
export function conditionOf(
  { version }: Pick<ProcessContext, 'version'>,
  { worktrees, home, reach }: Told,
): () => Promise<HostCondition> {
  const gauge = new MachineGauge(worktrees);
  const told = { system: systemName(), musterVersion: version, startedAt: Date.now() };
  return async () => ({
    ...told,
    load: await gauge.read(),
    stateFolder: await resolveDirectory(home),
    gateway: reach(),
  });
}
