import { z } from 'zod';
import { enumeration, explicitBoolean, message } from '#contract/message.ts';

/** A limit of an account, as the screen of a CLI shows it. */
export interface AccountLimit {
  /** Its usage limit is reached, or its credential is not accepted. */
  readonly kind: 'usage' | 'credential';
  /** When it ends by the screen, in milliseconds since 1970; undefined if the screen does not say. */
  readonly until?: number | undefined;
  /** Whether the CLI says that it continues by itself some time after the end. */
  readonly continues?: true | undefined;
}

/** What happens to agents whose account has reached its usage limit. */
export const OnUsageLimit = enumeration('workflow.v1.OnUsageLimit', {
  ON_USAGE_LIMIT_UNSPECIFIED: 'Not given: the same as ON_USAGE_LIMIT_PARK.',
  ON_USAGE_LIMIT_STAY: 'Nothing: each agent waits for a person.',
  ON_USAGE_LIMIT_PARK: 'They are parked until the limit ends, and a person continues them.',
  ON_USAGE_LIMIT_RESUME: 'They are parked until the limit ends, and are then asked once to continue.',
});
export type OnUsageLimit = z.infer<typeof OnUsageLimit>;

/** Why an agent is parked. */
export const ParkReason = enumeration('agent.v1.ParkReason', {
  PARK_REASON_UNSPECIFIED: 'Not given; never stored.',
  PARK_REASON_USAGE_LIMIT: 'Its account has reached its usage limit.',
  PARK_REASON_CREDENTIAL: 'The credential of its account is not accepted: a person must sign in.',
  PARK_REASON_PERSON: 'A person or an orchestrator parked it.',
});
export type ParkReason = z.infer<typeof ParkReason>;

/** Why and until when an agent is parked: meanwhile its doorbells wait, and muster types nothing on its own. */
export const Park = message('agent.v1.Park', {
  reason: [1, ParkReason, 'Why it is parked.'],
  since: [2, z.string(), 'Since when: RFC 3339, UTC.'],
  until: [3, z.string(), 'When its screen is read again: RFC 3339, UTC. Unset: a person ends it.'],
  account: [4, z.string(), 'The account, as in `work, claude on build-2`. Unset if a person parked this agent alone.'],
  resume: [5, explicitBoolean(), 'Whether it is asked to continue at that time, if its screen still shows the limit.'],
  shownUntil: [
    6,
    z.string(),
    'The end that its screen shows, if that is more than 8 days ahead, which is too far to rely on: RFC 3339, UTC.',
  ],
  endUnknown: [
    7,
    z.boolean(),
    'Whether its screen shows no end of the limit: the screen is read again at growing intervals, and nothing is typed.',
  ],
});
export type Park = z.infer<typeof Park>;
