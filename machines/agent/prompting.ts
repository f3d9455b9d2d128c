import { exitedRule, type Reading } from '#contract/pane/reading.ts';

/** Why a prompt may not be typed into a pane: a reason for programs, and a text. */
export interface PromptRefusal {
  readonly reason:
    | 'WINDOW_SCROLLED'
    | 'AGENT_WAITS'
    | 'AGENT_AT_WORK'
    | 'DRAFT_IN_COMPOSER'
    | 'CLI_ENDED'
    | 'SCREEN_UNCLEAR';
  readonly why: string;
}

/** The part of a pane's observation that determines whether to type. */
export interface PromptScreen {
  readonly reading: Pick<Reading, 'state' | 'rule' | 'reason'>;
  /** Whether a person scrolls in it. */
  readonly inMode: boolean;
  /** Whether its CLI accepts a prompt while it works, and queues it. */
  readonly takesMeanwhile: boolean;
}

/** Why a prompt may not be typed into a pane with this reading; undefined if it may. */
export function promptRefusal({ reading, inMode, takesMeanwhile }: PromptScreen): PromptRefusal | undefined {
  const { state, reason } = reading;
  if (inMode) return { reason: 'WINDOW_SCROLLED', why: 'a person scrolls in its window' };
  switch (state) {
    case 'AGENT_STATE_IDLE':
      return undefined;
    case 'AGENT_STATE_THINKING':
      return takesMeanwhile
        ? undefined
        : { reason: 'AGENT_AT_WORK', why: 'it is working, and its CLI accepts no prompt while it works' };
    case 'AGENT_STATE_WAITING':
      return { reason: 'AGENT_WAITS', why: `it waits for a person's answer (${reason || 'a selection'})` };
    case 'AGENT_STATE_UNCERTAIN':
      return uncertain(reading);
  }
}

function uncertain({ rule, reason }: PromptScreen['reading']): PromptRefusal {
  if (reason === 'draft') return { reason: 'DRAFT_IN_COMPOSER', why: 'its composer holds unsent text' };
  if (rule === exitedRule) return { reason: 'CLI_ENDED', why: 'its CLI has ended and a shell runs in its place' };
  return { reason: 'SCREEN_UNCLEAR', why: `its screen does not show that it is ready${reason && ` (${reason})`}` };
}
