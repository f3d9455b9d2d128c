import type { ViewedEnding } from '#contract/agent/agent-view.ts';
import type { AgentContext, AgentEvent, ReportedReading } from './agent-context.ts';
import { faultOf } from './agent-fault.ts';

/** The context of an agent whose pane is gone. */
export function endedBy(event: Extract<AgentEvent, { type: 'PANE_GONE' }>): Partial<AgentContext> {
  const { reason, account, at, ending, lost = false } = event;
  return {
    reason,
    fault: faultOf(reason, account),
    ended: at === undefined ? undefined : { at, lost, ...(ending && { ending }) },
    exited: undefined,
  };
}

/** How an agent's CLI has ended; undefined while it runs. A shell in its place leaves the window. */
export function endingOf({ paneId, exited, ended }: AgentContext): ViewedEnding | undefined {
  if (paneId !== undefined) return exited === true ? { kind: 'shell' } : undefined;
  return ended?.ending;
}

/** Whether the CLI has exited to a shell by this reading. A screen in doubt changes nothing. */
export function exitedBy({ exited }: AgentContext, reading: ReportedReading): boolean | undefined {
  if (reading.exited === true) return true;
  return reading.state === 'AGENT_STATE_UNCERTAIN' ? exited : undefined;
}
