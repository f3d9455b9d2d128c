import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import type { MonotonicClock } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { WritePermit } from '#world/git/repository/write-permit.ts';

/**
 * How long a host may take to type on its own initiative, from its question about the agent's state on, in
 * milliseconds.
 */
const ownWithin = 20_000;

/** What the registry says right before something is typed: the agent as it is, and until when that may be done. */
export interface Permission {
  readonly record: AgentRecord;
  /** By the monotonic clock of this host. */
  readonly until: number;
}

/** What permissions are asked for with. */
export interface Asking {
  readonly registry: Pick<RegistryClient, 'permit' | 'load'>;
  readonly clock: MonotonicClock;
}

/** What permissions for what this host does of its own accord are asked for with. */
interface OwnAsking {
  readonly registry: Pick<RegistryClient, 'load'>;
  readonly clock: MonotonicClock;
}

/** For what the registry has asked for. @throws UNAVAILABLE when nobody waits for it any more */
export async function permissionBy({ registry, clock }: Asking, ticket: string): Promise<Permission> {
  const asked = clock.monotonic();
  const { record, leftMs } = await registry.permit(ticket);
  return { record, until: asked + leftMs };
}

/** For what this host does of its own accord. @throws UNAVAILABLE when the registry cannot be reached */
export async function ownPermission({ registry, clock }: OwnAsking, agentId: string): Promise<Permission> {
  const asked = clock.monotonic();
  return { record: await registry.load(agentId), until: asked + ownWithin };
}

/** As `permissionBy`, for what writes to a checkout or its repository. */
export function writePermitBy(asking: Asking, ticket: string): WritePermit {
  return async () => {
    const { until } = await permissionBy(asking, ticket);
    return () => {
      if (asking.clock.monotonic() < until) return;
      throw new Failure('CALL_TOO_LATE', 'Nothing was written: it took longer than its caller waits; try again');
    };
  };
}

/** Until when it holds by the machine's own clock, which terminals use. */
export function monotonicUntil({ until }: { readonly until: number }, clock: MonotonicClock): number {
  // Read in this order: whatever passes between the two makes it earlier.
  const now = clock.now();
  return now + until - clock.monotonic();
}
