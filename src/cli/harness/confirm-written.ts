import type { Session } from '#cli/client/session.ts';
import { Failure } from '#contract/failure.ts';

/** Confirms a newly written launch part, if the service answers and accepts it from this caller. */
export async function isConfirmed(session: Session, harness: string, digest: string): Promise<boolean> {
  const hostId = (await session.local()).hostId();
  if (hostId === undefined) return false;
  try {
    const request = { hostId, harness, digest };
    return (await session.client().call('host.v1.HostService/ConfirmHarness', request)).launch?.confirmed === true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
