import type { Terminal } from '#world/terminal/terminal.ts';

/** What an agent's pane is stamped with when its briefing was pasted, and when it was submitted. */
export const briefingStamps = { pasted: 'briefing:pasted', submitted: 'briefing:submitted' } as const;

/** Whether the briefing was submitted in a pane, which also a dead one remembers. */
export async function wasBriefed(terminal: Terminal, paneId: string): Promise<boolean> {
  return (await terminal.stampOf(paneId)) === briefingStamps.submitted;
}
