import type { AgentContext, ReportedReading } from './agent-context.ts';

/**
 * Whether exactly this reading was the last one that the agent decided on, so that receiving it again would change
 * nothing.
 */
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
