import type { Reading } from '#contract/pane/reading.ts';

/** Why a prompt may not be typed into a pane: a kind, and the same in words. */
export interface PromptRefusal {
  readonly kind: 'in-mode' | 'waiting' | 'at-work' | 'draft' | 'exited' | 'uncertain';
  readonly why: string;
}

/** What a pane shows, as far as typing goes by it. */
export interface Shown {
  readonly reading: Pick<Reading, 'state' | 'reason'>;
  /** Whether a person scrolls in it. */
  readonly inMode: boolean;
  /** Whether its CLI takes a prompt while it is at work, to be done next. */
  readonly takesMeanwhile: boolean;
}

/** Why a prompt may not be typed into a pane that shows this; undefined where it may. */
export function promptRefusal({ reading, inMode, takesMeanwhile }: Shown): PromptRefusal | undefined {
  const { state, reason } = reading;
  if (inMode) return { kind: 'in-mode', why: 'a person scrolls in its window' };
  switch (state) {
    case 'AGENT_STATE_IDLE':
      return undefined;
    case 'AGENT_STATE_THINKING':
      return takesMeanwhile
        ? undefined
        : { kind: 'at-work', why: 'it is at work, and its CLI takes no prompt meanwhile' };
    case 'AGENT_STATE_WAITING':
      return { kind: 'waiting', why: `it waits for a person's answer (${reason || 'a selection'})` };
    case 'AGENT_STATE_UNCERTAIN':
      return uncertain(reason);
  }
}

function uncertain(reason: string): PromptRefusal {
  if (reason === 'draft') return { kind: 'draft', why: 'a text that was not sent stands in its composer' };
  if (reason.startsWith('exited')) return { kind: 'exited', why: 'its CLI has ended and a shell runs in its place' };
  return { kind: 'uncertain', why: `its screen does not tell that it is ready${reason && ` (${reason})`}` };
}
