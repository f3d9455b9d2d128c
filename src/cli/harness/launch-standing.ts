import type { LocalHarness } from '#cli/client/local.ts';
import type { Session } from '#cli/client/session.ts';
import { Failure } from '#contract/failure.ts';

/** Whether a person has confirmed what a file has a harness launch; `unknown` if no service says so. */
export type LaunchWord = 'confirmed' | 'unconfirmed' | 'unknown';

/** A harness of this machine, with what counts of its launch; undefined if no file changes that. */
export type CheckedHarness = LocalHarness & { readonly standing: LaunchWord | undefined };

/** The harnesses of this machine with what its host has as confirmed. The service is asked only if a file needs it. */
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

/** Undefined if no service answers, or it does not answer this caller. */
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
