import type { Terminals } from '#world/terminal.ts';
import type { Performer } from '../performer.ts';

/** Ends the agent's CLI and closes its window; the family's terminal goes with its last window. */
export function closePane(terminals: Terminals): Performer {
  return {
    step: 'closing',
    async perform({ record }) {
      if (!(await terminals.running()).includes(record.family)) return { type: 'PANE_CLOSED' };
      const terminal = await terminals.of(record.family);
      const panes = await terminal.panes();
      for (const { paneId } of panes.filter(({ agentId }) => agentId === record.id)) await terminal.close(paneId);
      if (panes.every(({ agentId }) => agentId === record.id)) await terminals.end(record.family);
      return { type: 'PANE_CLOSED' };
    },
  };
}
