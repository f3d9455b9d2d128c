import { text } from './message.ts';

/** What a caller names one call by, so that a repeat of it is known as such. Each caller's keys are its own. */
export const IdempotencyKey = text(200).refine((key) => !/\p{Cc}/u.test(key), 'may not hold control characters');
