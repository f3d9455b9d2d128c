import type { LocalHarness } from '#cli/client/local.ts';
import type { Session } from '#cli/client/session.ts';
import { Failure } from '#contract/failure.ts';

/** Whether a person has confirmed the launch part of a file; `unknown` if the service cannot be asked. */
export type LaunchWord = 'confirmed' | 'unconfirmed' | 'unknown';

/** A harness of this computer, and whether its launch part is confirmed; undefined if it has none. */
export type CheckedHarness = LocalHarness & { readonly standing: LaunchWord | undefined };

/** The harnesses of this computer with their confirmations. The service is called only if a file needs one. */
export async function withStandings(session: Session): Promise<readonly CheckedHarness[]> {
  const local = await session.local();
  const harnesses = local.harnesses();
  const isAsked = harnesses.some(({ launch }) => launch !== undefined);
  const confirmed = isAsked ? await confirmedDigests(session, local.hostId()) : undefined;
  return harnesses.map((harness) => {
    const { name, launch } = harness;
    if (launch === undefined) return { ...harness, standing: undefined };
    const word = confirmed?.get(name) === launch.digest ? 'confirmed' : 'unconfirmed';
    return { ...harness, standing: confirmed === undefined ? 'unknown' : word };
  });
}

/** The confirmed digests; undefined if the service does not answer, or refuses this caller. */
async function confirmedDigests(
  session: Session,
  hostId: string | undefined,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (hostId === undefined) return undefined;
  try {
    const { launches = [] } = await session.client().call('host.v1.HostService/ListHarnessLaunches', { hostId });
    const confirmed = launches.filter((launch) => launch.confirmed === true);
    return new Map(confirmed.map(({ harness = '', digest = '' }) => [harness, digest]));
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
