import { randomUUID } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Clock, Ids } from '#contract/clock.ts';

/** Ids made of a prefix and a ULID, such as `agt_01K…`. They increase, also within one millisecond. */
export function ulidIds(clock: Clock): Ids {
  const next = monotonicFactory();
  return { id: (prefix) => `${prefix}_${next(clock.now())}`, uuid: randomUUID };
}
