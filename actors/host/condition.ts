import type { ProcessContext } from '#contract/process-context.ts';
import type { HostCondition } from '#contract/wire/host-condition.ts';
import { resolveDirectory } from '#world/directory.ts';
import { MachineGauge } from '#world/machine-gauge.ts';
import { systemName } from '#world/machine-name.ts';

/** Tells how a host's machine is at the moment; `worktrees` is the folder whose disk is meant, `home` the host's own. */
export function conditionOf(
  { version }: Pick<ProcessContext, 'version'>,
  { worktrees, home }: { readonly worktrees: string; readonly home: string },
): () => Promise<HostCondition> {
  const gauge = new MachineGauge(worktrees);
  const told = { system: systemName(), musterVersion: version, startedAt: Date.now() };
  return async () => ({ ...told, load: await gauge.read(), stateFolder: await resolveDirectory(home) });
}
