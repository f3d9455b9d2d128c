import { Failure } from '#contract/failure.ts';
import type { HeldLimits } from '#world/isolation/cgroup.ts';
import type { Engine } from '#world/isolation/container.ts';
import { programAnswer } from '#world/process/program-answer.ts';

/** How long an engine may take to answer, in milliseconds. */
const withinMs = 10_000;

/** What makes each engine print the controllers by which it limits containers: without one it would ignore the limit. */
const questions = {
  podman: '{{range .Host.CgroupControllers}}{{.}} {{end}}',
  docker: '{{if .MemoryLimit}}memory {{end}}{{if .PidsLimit}}pids {{end}}{{if .CPUCfsQuota}}cpu{{end}}',
} as const;

/**
 * Checks that an engine can hold limits.
 * @throws ISOLATION_UNAVAILABLE when it cannot, or does not say so
 */
export async function checkEngineLimits(
  { kind, program }: Engine,
  environment: Readonly<Record<string, string>>,
  { memoryMib, maxProcesses, cpuPercent }: HeldLimits = {},
): Promise<void> {
  const needed = [...(memoryMib ? ['memory'] : []), ...(maxProcesses ? ['pids'] : []), ...(cpuPercent ? ['cpu'] : [])];
  if (needed.length === 0) return;
  const question = { program, args: ['info', '--format', questions[kind]], environment };
  const controllers = (await programAnswer(question, ({ stdout }) => stdout, withinMs))?.trim().split(/\s+/);
  const missing = needed.find((controller) => !controllers?.includes(controller));
  if (missing === undefined) return;
  throw new Failure(
    'ISOLATION_UNAVAILABLE',
    `cannot be limited: ${program} has no controller ${missing} for containers of this user: give it control groups of version 2 ` +
      'with Delegate=yes, or run this host as root',
  );
}
