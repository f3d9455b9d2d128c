/** The moments of an agent's actor that can be observed, by name. Logs and tests use the same names. */
export const moments = {
  'before-commit': 'the machine has decided and nothing is saved yet',
  'after-commit': 'the decision is saved and nothing of it is done yet',
  'before-effect': 'an effect is about to be performed',
  'after-effect': 'an effect is done and its result is not saved yet',
  'actor-failed': 'something unexpected was thrown and the actor restarts',
  'actor-gave-up': 'the actor failed too often and gave up its step',
} as const;

/** One moment. `about` is the name of the effect or the event. */
export interface Moment {
  readonly name: keyof typeof moments;
  readonly agentId: string;
  readonly about: string;
}

/** Called with each moment, before the actor continues. */
export type Observe = (moment: Moment) => void;
