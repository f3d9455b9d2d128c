/** The moments of an agent's actor that can be observed, by name. Logs and tests use the same names. */
export const moments = {
  'before-commit': 'the machine has decided and nothing is written down yet',
  'after-commit': 'the decision is written down and nothing of it is done yet',
  'before-effect': 'an effect is about to be performed',
  'after-effect': 'an effect is done and its result is not written down yet',
  'actor-failed': 'something unforeseen was thrown and the actor starts again',
  'actor-gave-up': 'the actor failed too often and its step is given up',
} as const;

/** One moment: what it was about is the effect's or the event's name. */
export interface Moment {
  readonly name: keyof typeof moments;
  readonly agentId: string;
  readonly about: string;
}

/** Hears of moments as they come, before the actor goes on. */
export type Observe = (moment: Moment) => void;
