import { decodeBody } from '#bus/codec.ts';
import { connectBus } from '#bus/connection.ts';
import { registryPingSubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { PingedRegistry } from '#contract/wire/registry-lease.ts';
import { busAccess } from '#service/bus/bus-credentials.ts';
import { computerName } from '#world/computer-name.ts';

/** How long to wait for the bus, and then for the answer, in milliseconds. */
const [joinsWithin, answersWithin] = [3_000, 3_000];

/**
 * Checks that the registry of this state folder answers on the bus. A registry of another machine or state folder does
 * not count. The database is left out, because the registry waits for one that is away: `readyz` of a gateway shows it.
 * @throws UNAVAILABLE when the bus or the registry does not answer; FAILED_PRECONDITION when there are no keys of
 *   the bus
 */
export async function probeRegistry(config: Config): Promise<void> {
  const {
    busUrl: url,
    busMember: member,
    busCredential: credential,
    busAuthority: authority,
  } = await busAccess(config, 'start');
  const bus = await connectBus({
    url,
    member,
    credential,
    authority,
    name: 'muster probe',
    signal: AbortSignal.timeout(joinsWithin),
  }).catch((error: unknown) => {
    if (error instanceof Failure && error.code !== 'canceled') throw error;
    throw new Failure('BUS_UNAVAILABLE', `The bus at ${url} was not joined within ${joinsWithin / 1_000} s`);
  });
  const isOwn = ({ data }: { readonly data: Uint8Array }) => {
    const { metadata } = PingedRegistry.safeParse(decodeBody(data)).data ?? {};
    return metadata?.machine === computerName() && metadata.stateFolder === config.home;
  };
  try {
    await bus.exchange(registryPingSubject, new Uint8Array(), {
      timeoutMs: answersWithin,
      take: (incoming) => (isOwn(incoming) ? { answer: true } : undefined),
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure('NOBODY_ANSWERS', `The registry of ${config.home} does not answer on the bus`, { cause: error });
  } finally {
    await bus.close();
  }
}
