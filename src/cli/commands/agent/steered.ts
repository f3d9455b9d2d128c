import type { Session } from '#cli/client/session.ts';
import type { ListedAgent } from '#cli/find/find-agent.ts';
import { stateText } from '#cli/print/agent-state.ts';
import { type OutputFlags, writeRecord } from '#cli/print/output.ts';
import type { Agent } from '#contract/agent/agent.ts';
import { printable } from '#contract/printable.ts';

/** Prints the state of an agent after something was typed into its pane. */
export function printSteered({ io }: Session, flags: OutputFlags, { name }: ListedAgent, agent: Agent): void {
  writeRecord(io, flags, agent, () => `${printable(name)}: ${printable(stateText({ agent }))}\n`);
}
