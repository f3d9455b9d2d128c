import { randomUUID } from 'node:crypto';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';

/** Permission for a host to perform a request while the caller waits. */
export interface Permit {
  readonly ticket: string;
  /** Whether the host got the permit. From then on it may have acted, whether it answers or not. */
  readonly isGranted: boolean;
  /** Withdraws the permit, if it is not granted yet. */
  close(): void;
}

/** The terms of a permit. */
interface PermitTerms {
  /** For how long it is valid, in milliseconds. */
  readonly withinMs: number;
  /** How much of that must be left when the host asks, in milliseconds, so that it can finish in time. */
  readonly minMs: number;
  /** Called when the host asks. Returns the current agent. @throws Failure to refuse the permit */
  readonly decide: () => Promise<AgentRecord>;
}

interface OpenPermit extends Pick<PermitTerms, 'minMs' | 'decide'> {
  readonly hostId: string;
  /** By the monotonic clock. */
  readonly until: number;
  isGranted: boolean;
}

/**
 * How much earlier than the caller's deadline permits expire, in milliseconds: a tenth of the caller's time, at most
 * this.
 */
const answersWithin = 2_000;

/**
 * The open permits of hosts. A host requests its permit right before it acts, and learns how long it is valid. So a
 * request that failed for its caller is never performed later, however long it was delayed.
 */
export class Permits {
  readonly #monotonic: () => number;
  readonly #instance: string;
  readonly #open = new Map<string, OpenPermit>();

  /** `instance` is the registry's: tickets begin with it, because only it can grant them. */
  constructor(monotonic: () => number, instance: string) {
    this.#monotonic = monotonic;
    this.#instance = instance;
  }

  /** These permits, for a caller that waits `waitsMs` from now on: none is valid beyond that. */
  within(waitsMs: number): Pick<Permits, 'open'> {
    const until = this.#monotonic() + waitsMs - Math.min(answersWithin, waitsMs / 10);
    return {
      open: (hostId, { withinMs, minMs, decide }) => {
        const left = Math.min(withinMs, until - this.#monotonic());
        // If the caller waits for less than `minMs`, half of its time must be enough.
        return this.open(hostId, { withinMs: left, minMs: Math.max(1, Math.min(minMs, left / 2)), decide });
      },
    };
  }

  /** Opens a permit for a host. `decide` may still refuse it when the host asks. */
  open(hostId: string, { withinMs, ...wanted }: PermitTerms): Permit {
    const ticket = `${this.#instance}.${randomUUID()}`;
    const open: OpenPermit = { ...wanted, hostId, until: this.#monotonic() + withinMs, isGranted: false };
    this.#open.set(ticket, open);
    return {
      ticket,
      get isGranted() {
        return open.isGranted;
      },
      close: () => void this.#open.delete(ticket),
    };
  }

  /**
   * Grants a permit, once. Returns the current agent, and for how long the permit is valid, in milliseconds.
   * @throws UNAVAILABLE when its caller no longer waits; as `decide`
   */
  async grant(ticket: string, hostId: string): Promise<{ record: AgentRecord; leftMs: number }> {
    const open = this.#open.get(ticket);
    if (open?.hostId !== hostId || open.isGranted) throw tooLate();
    const record = await open.decide();
    const leftMs = Math.floor(open.until - this.#monotonic());
    if (this.#open.get(ticket) !== open || open.isGranted || leftMs < open.minMs) throw tooLate();
    open.isGranted = true;
    return { record, leftMs };
  }
}

function tooLate(): Failure {
  return new Failure(
    'PERMIT_EXPIRED',
    'Nothing was done: the host received it after the caller had stopped waiting; try again',
  );
}
