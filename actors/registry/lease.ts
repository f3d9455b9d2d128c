import { randomUUID } from 'node:crypto';
import type { Bus, Endpoint } from '#bus/bus.ts';
import { claimSubject, leaseSubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import type { Log } from '#contract/process-context.ts';
import { busTaken, RegistryHolder } from '#contract/wire/registry-lease.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { machineName } from '#world/machine-name.ts';

/**
 * How long the registry that is there may take to answer, and how long to wait before it is asked again, in
 * milliseconds.
 */
const [answersWithin, askedAgainAfter] = [2_000, 1_000];
/** How often a registry says that it is there, in milliseconds: two that came to be on one bus find out by it. */
const claimEvery = 5_000;

/** Who this process is to other registries. */
export function holderOf(installation: string, stateFolder: string, startedAt = Date.now()): RegistryHolder {
  return {
    installation,
    instance: randomUUID(),
    machine: machineName(),
    pid: process.pid,
    stateFolder,
    since: new Date(startedAt).toISOString(),
  };
}

/**
 * Ensures that no other registry answers on the bus. One that is there and does not answer is waited for: it may hang,
 * or its connection may be on its way out.
 * @throws FAILED_PRECONDITION when another one answers, naming it; INTERNAL when the bus does not let a registry ask
 */
export async function requireFreeBus(bus: Bus, own: RegistryHolder, log: Log): Promise<void> {
  for (let isReported = false; ; isReported = true) {
    try {
      const other = parseRequest(RegistryHolder, await bus.request(leaseSubject, {}, { timeoutMs: answersWithin }));
      throw busTaken(other, own);
    } catch (error) {
      if (!(error instanceof Failure) || !['unavailable', 'deadline_exceeded'].includes(error.code)) throw error;
      if (error.isFor('NOBODY_ANSWERS')) return;
      if (!isReported)
        log.warn({ reason: error.message }, 'could not find out whether another registry has this bus: retrying');
      await systemTimer.sleep(askedAgainAfter);
    }
  }
}

/** Where another registry asks who is here. */
export function leaseEndpoint(own: RegistryHolder): Endpoint {
  return { name: 'lease', subject: leaseSubject, handle: () => own };
}

/** What is shown of a registry by the services protocol. */
export function placeInBrief({ installation, machine, pid, stateFolder }: RegistryHolder) {
  return { installation, machine, pid: String(pid), stateFolder };
}

/** A registry's word on the bus that it is there. */
export interface Claim {
  stop(): void;
}

/**
 * Says now and then that this registry has the bus, and hears others that say so: two may have started at the same
 * moment, or have come together when a network healed. The younger one gives way: `onLost` is called once, with who has
 * the bus.
 */
export function claimBus(bus: Bus, own: RegistryHolder, onLost: (why: Failure) => void): Claim {
  const say = (): void => bus.publish(claimSubject, own);
  const hear = (said: unknown): void => {
    const { data: other } = RegistryHolder.safeParse(said);
    if (other === undefined || other.instance === own.instance) return;
    if (orderOf(other) > orderOf(own)) {
      say();
      return;
    }
    stop();
    onLost(busTaken(other, own));
  };
  const claims = bus.subscribe(claimSubject, hear);
  const reconnects = bus.onReconnect(say);
  const timer = setInterval(say, claimEvery);
  const stop = (): void => {
    clearInterval(timer);
    claims.close();
    reconnects.close();
  };
  say();
  return { stop };
}

/** Both sides of two order themselves alike, whatever their clocks say. */
const orderOf = ({ since, instance }: RegistryHolder): string => `${since} ${instance}`;
