import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import type { MonotonicClock } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { WritePermit } from '#world/git/repository/write-permit.ts';

/** How long a host may take to type on its own initiative, in milliseconds, since it asked for the agent's state. */
const ownWithin = 20_000;

/** The permission to type: the current agent, and the deadline. */
export interface Permission {
  readonly record: AgentRecord;
  /** On this host's monotonic clock. */
  readonly until: number;
}

/** The dependencies of a request for a permit. */
export interface PermitClient {
  readonly registry: Pick<RegistryClient, 'permit' | 'load'>;
  readonly clock: MonotonicClock;
}

/** The dependencies of permission on the host's own initiative. */
interface LoadClient {
  readonly registry: Pick<RegistryClient, 'load'>;
  readonly clock: MonotonicClock;
}

/** Requests the permit of a ticket. @throws UNAVAILABLE when the caller no longer waits */
export async function permissionBy({ registry, clock }: PermitClient, ticket: string): Promise<Permission> {
  const asked = clock.monotonic();
  const { record, leftMs } = await registry.permit(ticket);
  return { record, until: asked + leftMs };
}

/**
 * The permission for actions on the host's own initiative.
 * @throws UNAVAILABLE when the registry cannot be reached
 */
export async function ownPermission({ registry, clock }: LoadClient, agentId: string): Promise<Permission> {
  const asked = clock.monotonic();
  return { record: await registry.load(agentId, { acts: true }), until: asked + ownWithin };
}

/** As `permissionBy`, for writing to a checkout or its repository. */
export function writePermitBy(asking: PermitClient, ticket: string): WritePermit {
  return async () => {
    const { until } = await permissionBy(asking, ticket);
    return () => {
      if (asking.clock.monotonic() < until) return;
      throw new Failure('CALL_TOO_LATE', 'Nothing was written: it took longer than its caller waits; try again');
    };
  };
}

/** The deadline on the machine's own clock, which terminals use. */
export function monotonicUntil({ until }: { readonly until: number }, clock: MonotonicClock): number {
  // Read in this order, so that time between the two reads makes the deadline earlier, not later.
  const now = clock.now();
  return now + until - clock.monotonic();
}
