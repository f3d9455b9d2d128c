import type { Performer } from '#actors/host/agent/performer.ts';
import { runningTerminal } from '#actors/host/typing/terminal-turn.ts';
import type { AgentContext } from '#machines/agent/agent-context.ts';
import type { Terminals } from '#world/terminal/terminal.ts';

/** Gives the agent's window the agent's name, where there is a window. */
export function renameWindow(terminals: Terminals): Performer {
  return {
    step: undefined,
    async perform({ record }) {
      const terminal = await runningTerminal(terminals, record.family);
      const pane = (await terminal?.panes())?.find(({ agentId }) => agentId === record.id);
      if (pane) await terminal?.rename(pane.paneId, (record.snapshot.context as AgentContext).name);
      return undefined;
    },
  };
}
