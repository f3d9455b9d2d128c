import type { AgentContext, ReportedReading } from './agent-context.ts';

/** Whether an agent has decided on exactly this reading last, so that receiving it again would change nothing. */
export function isNoted(
  { state, reason, asked = '', drafted = false, doubted = false, refused }: AgentContext,
  reading: ReportedReading,
): boolean {
  return (
    !doubted &&
    refused === undefined &&
    reading.state === state &&
    reading.reason === reason &&
    (reading.asked ?? '') === asked &&
    (reading.drafted ?? false) === drafted
  );
}
