import type { Performer } from '#actors/host/agent/performer.ts';
import { runningTerminal } from '#actors/host/typing/terminal-mutex.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import type { Terminals } from '#world/terminal/terminal.ts';

/** Gives the agent's window the agent's name, if there is a window. */
export function renameWindow(terminals: Terminals): Performer {
  return {
    step: undefined,
    async perform({ record }) {
      const terminal = await runningTerminal(terminals, record.family);
      const pane = (await terminal?.panes())?.find(({ agentId }) => agentId === record.id);
      if (pane) await terminal?.rename(pane.paneId, readAgentContext(record.snapshot).name);
      return undefined;
    },
  };
}
