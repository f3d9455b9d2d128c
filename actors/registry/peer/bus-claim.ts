import type { Bus, Endpoint } from '#bus/bus.ts';
import { claimSubject, leaseSubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import type { Log } from '#contract/process-context.ts';
import { busTaken, RegistryHolder } from '#contract/wire/registry-lease.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { isOlder } from './holder.ts';
import type { Peers } from './peers.ts';

/**
 * How long the current registry may take to answer, and how long to wait before asking it again, in milliseconds.
 */
const [answersWithin, askedAgainAfter] = [2_000, 1_000];
/** How often a registry announces itself, in milliseconds, so that two on one bus notice each other. */
const claimEvery = 5_000;

/** How many times to check for the lease of a registry that may share the database. */
const maxAttempts = 10;

/** The claimant, and its possible peers. */
interface Claimant {
  readonly bus: Bus;
  readonly own: RegistryHolder;
  readonly peers: Pick<Peers, 'includes' | 'isShared' | 'mayInclude' | 'see'>;
}

/**
 * Ensures that no registry of another database answers on the bus. This waits for a registry that does not answer,
 * because it may hang or its connection may be closing; if the database can be shared, it asks only twice.
 * @throws BUS_TAKEN when another one answers, naming it; INTERNAL when the bus does not let a registry ask
 */
export async function requireFreeBus({ bus, own, peers, log }: Claimant & { readonly log: Log }): Promise<void> {
  for (let isReported = false; ; isReported = true) {
    try {
      const other = parseRequest(RegistryHolder, await bus.request(leaseSubject, {}, { timeoutMs: answersWithin }));
      if (await isPeer(peers, other)) return;
      throw busTaken(other, own);
    } catch (error) {
      if (!(error instanceof Failure) || !['unavailable', 'deadline_exceeded'].includes(error.code)) throw error;
      if (error.isFor('NOBODY_ANSWERS')) return;
      if (!isReported)
        log.warn({ reason: error.message }, 'could not find out whether another registry has this bus: retrying');
      if (peers.isShared && isReported) return;
      await systemTimer.sleep(askedAgainAfter);
    }
  }
}

/** The endpoint at which other registries ask for this one's identity. */
export function leaseEndpoint(own: RegistryHolder): Endpoint {
  return { name: 'lease', subject: leaseSubject, handle: () => own };
}

/** A registry's claim of the bus. */
export interface BusClaim {
  stop(): void;
}

/** How a registry handles the claims of others. */
interface ClaimListener extends Claimant {
  /** Called once, with an error that names the registry that has the bus. */
  readonly onLost: (why: Failure) => void;
  readonly log: Log;
}

/**
 * Regularly announces that this registry has the bus, and listens to others that do: two may have started at the
 * same moment, or have met when a network partition healed. Of two that do not share a database, the younger one
 * yields.
 */
export function claimBus({ bus, own, peers, onLost, log }: ClaimListener): BusClaim {
  const announce = (): void => bus.publish(claimSubject, own);
  const judge = async (other: RegistryHolder): Promise<void> => {
    if (await isPeer(peers, other)) return;
    if (isStopped) return;
    if (isOlder(own, other)) return announce();
    stop();
    onLost(busTaken(other, own));
  };
  const claims = bus.subscribe(claimSubject, (body) => {
    const { data: other } = RegistryHolder.safeParse(body);
    if (other === undefined || other.instance === own.instance) return;
    peers.see(other);
    judge(other).catch((err: unknown) => log.warn({ err }, 'could not find out whose the other registry is'));
  });
  const reconnects = bus.onReconnect(announce);
  const timer = setInterval(announce, claimEvery);
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    clearInterval(timer);
    claims.close();
    reconnects.close();
  };
  announce();
  return { stop };
}

/**
 * Whether a registry on the bus shares this one's database. A registry resumed after a pause may announce itself before
 * it renews its lease.
 */
async function isPeer(peers: Claimant['peers'], other: RegistryHolder): Promise<boolean> {
  for (let attempts = 1; ; attempts += 1) {
    if (await peers.includes(other)) return true;
    if (!peers.mayInclude(other) || attempts === maxAttempts) return false;
    await systemTimer.sleep(askedAgainAfter);
  }
}
