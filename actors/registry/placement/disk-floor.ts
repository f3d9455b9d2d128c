import type { HostDefaults, HostLimits } from '#actors/registry/host/settings/host-limits.ts';
import { byteText } from '#contract/host/load-reading.ts';
import type { StoredHost } from '#store/host/host-entity.ts';

/** What the room of hosts is computed from. */
export interface RoomScope {
  /** The default capacity of hosts. */
  readonly hostDefaults: HostDefaults;
  /** Has the newest reports of hosts. */
  readonly beatBuffer: { freshen(host: StoredHost): StoredHost };
}

const mebibyte = 1024 ** 2;

/**
 * Returns why a host takes no launches, if its disk has less free than its floor. A disk of which nothing is known has
 * room.
 */
export function whyBelowFloor(
  { name, condition }: Pick<StoredHost, 'name' | 'condition'>,
  { minDiskFreeMib }: Pick<HostLimits, 'minDiskFreeMib'>,
): string | undefined {
  const { diskFreeBytes } = condition?.load ?? {};
  const floor = minDiskFreeMib * mebibyte;
  if (diskFreeBytes === undefined || diskFreeBytes >= floor) return undefined;
  // Without what is free, so that the reason of a launch that waits stays the same.
  return `${name} has less than ${byteText(floor)} free on its disk`;
}
