import { randomUUID } from 'node:crypto';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';

/** Something that a host was asked to do, for as long as its caller waits. */
export interface Permit {
  readonly ticket: string;
  /** Whether the host got the permit: from then on nobody knows what it did. */
  readonly isGranted: boolean;
  /** Nothing is granted from now on. */
  close(): void;
}

/** What is permitted. */
interface Wanted {
  /** For how long, in milliseconds. */
  readonly withinMs: number;
  /** How much of that must be left when the host asks, so that what it begins can end in time. */
  readonly minMs: number;
  /** Returns the agent as it is. @throws Failure when it is not to be done any more */
  readonly decide: () => Promise<AgentRecord>;
}

interface Open extends Pick<Wanted, 'minMs' | 'decide'> {
  readonly hostId: string;
  /** By the monotonic clock. */
  readonly until: number;
  isGranted: boolean;
}

/**
 * How long before its caller gives up a host may do no more, in milliseconds: a tenth of the time, and at most this.
 */
const answersWithin = 2_000;

/**
 * What hosts have been asked to do and may still do. A host asks for its permit right before it touches anything, and
 * learns then for how long it holds: what was refused to its caller is never done later, however long the question was
 * on its way.
 */
export class Permits {
  readonly #monotonic: () => number;
  readonly #open = new Map<string, Open>();

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** As it is, for a caller that waits for this many milliseconds from now on: nothing is done once that is over. */
  within(waitsMs: number): Pick<Permits, 'open'> {
    const until = this.#monotonic() + waitsMs - Math.min(answersWithin, waitsMs / 10);
    return {
      open: (hostId, { withinMs, minMs, decide }) => {
        const left = Math.min(withinMs, until - this.#monotonic());
        // Whoever waits for less than it may take is given the half of that.
        return this.open(hostId, { withinMs: left, minMs: Math.max(1, Math.min(minMs, left / 2)), decide });
      },
    };
  }

  /** Lets a host do something from now on, where `decide`, asked once it is the host's turn, does not refuse. */
  open(hostId: string, { withinMs, ...wanted }: Wanted): Permit {
    const ticket = randomUUID();
    const open: Open = { ...wanted, hostId, until: this.#monotonic() + withinMs, isGranted: false };
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
   * Grants a permit once: returns the agent as it is, and for how long, in milliseconds from when the host asked.
   * @throws UNAVAILABLE when nobody waits for it any more; whatever `decide` refuses it with
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
