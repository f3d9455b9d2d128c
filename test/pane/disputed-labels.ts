import type { PaneState } from '#contract/agent/agent-state.ts';

/** A label of the corpus that its own screen speaks against. The label stays as it was captured. */
export interface DisputedLabel {
  /** Names of samples. */
  readonly samples: readonly string[];
  /** What the screen is held to show. */
  readonly held: PaneState;
  readonly reason: string;
}

/** Every label that is disputed, with the reason. */
export const disputedLabels: readonly DisputedLabel[] = [
  {
    samples: ['claude/autotool-200x50', 'claude/autotool-80x24'],
    held: 'AGENT_STATE_IDLE',
    reason: 'labelled before it was known what auto mode would do: the call was let through and the turn has ended',
  },
  {
    samples: ['codex/onboarding-200x50', 'codex/onboarding-80x24'],
    held: 'AGENT_STATE_WAITING',
    reason: 'labelled for a composer that looks idle, but the choice of how to sign in is open on the screen',
  },
  {
    samples: ['copilot/onboarding.next-200x50', 'copilot/onboarding.next-80x24'],
    held: 'AGENT_STATE_UNCERTAIN',
    reason:
      'labelled for a further dialog, but it is an empty composer that says to sign in by /login: nothing is asked',
  },
  {
    samples: ['copilot/typed-200x50'],
    held: 'AGENT_STATE_IDLE',
    reason: 'captured before the typing was painted: the composer is empty and its cursor stands at the first column',
  },
  {
    samples: ['pi/ctrlc.once-200x50', 'pi/ctrlc.once-80x24', 'pi/ctrlc.twice-200x50', 'pi/ctrlc.twice-80x24'],
    held: 'AGENT_STATE_IDLE',
    reason: 'byte for byte the screen, title and command of a fresh start that is labelled IDLE',
  },
  {
    samples: ['cline/stream.done-80x24', 'cline/stream.done-50x20'],
    held: 'AGENT_STATE_UNCERTAIN',
    reason:
      'what turns before an answer has left the screen: the same rows are shown while the answer is still written',
  },
];
