import type { Terminal } from '#world/terminal/terminal.ts';

/** The stamps of an agent's pane after its briefing was pasted, and after it was submitted. */
export const briefingStamps = { pasted: 'briefing:pasted', submitted: 'briefing:submitted' } as const;

/** Whether the briefing was submitted in a pane. A dead pane keeps its stamp. */
export async function wasBriefed(terminal: Terminal, paneId: string): Promise<boolean> {
  return (await terminal.stampOf(paneId)) === briefingStamps.submitted;
}
