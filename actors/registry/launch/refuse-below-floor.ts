import { limitsOf } from '#actors/registry/host/settings/host-limits.ts';
import { type RoomScope, whyBelowFloor } from '#actors/registry/placement/disk-floor.ts';
import { Failure } from '#contract/failure.ts';
import type { StoredHost } from '#store/host/host-entity.ts';

/** @throws HOST_DISK_LOW when a host's disk has less free than its floor */
export function refuseBelowFloor({ hostDefaults, beatBuffer }: RoomScope, host: StoredHost): void {
  const why = whyBelowFloor(beatBuffer.freshen(host), limitsOf(host, hostDefaults));
  if (why === undefined) return;
  throw new Failure(
    'HOST_DISK_LOW',
    `${why}, so nothing is launched there: free space (\`muster clean\`), or have a person set another floor (muster host limit --disk)`,
    { metadata: { hostId: host.id } },
  );
}
