import type { AgentContext, ReportedReading } from './agent-context.ts';

/**
 * Whether exactly this reading was the last one that the agent decided on, so that receiving it again would change
 * nothing.
 */
export function isNoted(context: AgentContext, reading: ReportedReading): boolean {
  const { state, reason, asked = '', drafted = false, doubted = false, refused } = context;
  return (
    !doubted &&
    refused === undefined &&
    reading.state === state &&
    reading.reason === reason &&
    (reading.asked ?? '') === asked &&
    (reading.drafted ?? false) === drafted &&
    continuesAsNoted(context, reading)
  );
}

/**
 * Whether the CLI says of its limit, as when the agent last decided, that it continues by itself or not. The words of
 * the limit are the same with and without that. A reading without a limit says nothing about it.
 */
export function continuesAsNoted({ limit }: Pick<AgentContext, 'limit'>, reading: ReportedReading): boolean {
  return reading.limit === undefined || reading.limit.continues === limit?.continues;
}
