import { text } from './message.ts';

const Key = text(200).refine((key) => !/\p{Cc}/u.test(key), 'may not contain control characters');

/**
 * The field by which a caller names one call, so that repeating it has no second effect. Each caller has its own keys.
 */
export const idempotencyKey = [
  Key,
  'Any word of yours for this call. A repeat with it returns the first result.',
] as const;
