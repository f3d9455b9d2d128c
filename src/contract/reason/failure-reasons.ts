import { accessReasons } from './access-reasons.ts';
import { agentReasons } from './agent-reasons.ts';
import { fleetReasons } from './fleet-reasons.ts';
import { hostReasons } from './host-reasons.ts';
import { joiningReasons } from './joining-reasons.ts';
import type { ReasonMeaning } from './reason-meaning.ts';
import { requestReasons } from './request-reasons.ts';
import { reviewReasons } from './review-reasons.ts';
import { serviceReasons } from './service-reasons.ts';

/** Every reason of a failure, by subject. Programs match these, never the words of a message. */
export const reasonGroups = {
  request: requestReasons,
  access: accessReasons,
  agent: agentReasons,
  host: hostReasons,
  joining: joiningReasons,
  review: reviewReasons,
  fleet: fleetReasons,
  service: serviceReasons,
} as const;

/** The closed list of reasons, each with its code, its meaning and the keys of its metadata. */
export const failureReasons = {
  ...requestReasons,
  ...accessReasons,
  ...agentReasons,
  ...hostReasons,
  ...joiningReasons,
  ...reviewReasons,
  ...fleetReasons,
  ...serviceReasons,
} as const satisfies Readonly<Record<string, ReasonMeaning>>;

export type FailureReason = keyof typeof failureReasons;

/** The keys of a reason's metadata; never if it has none. */
export type MetadataKey<R extends FailureReason> = (typeof failureReasons)[R] extends {
  readonly metadata: infer Keys;
}
  ? keyof Keys & string
  : never;
