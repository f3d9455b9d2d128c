import { randomUUID } from 'node:crypto';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';

/** Something that a host was asked to do, for as long as its caller waits. */
export interface Permit {
  readonly ticket: string;
  /** Whether the host was told that it may: from then on nobody knows what it did. */
  readonly isGranted: boolean;
  /** Nothing is granted from now on. */
  close(): void;
}

/** What is permitted. */
interface Wanted {
  /** For how long, in milliseconds. */
  readonly withinMs: number;
  /** How much of that must be left when the host asks, so that what it begins can end in time. */
  readonly leastMs: number;
  /** Gives the agent as it stands. @throws Failure where it is not to be done any more */
  readonly decide: () => Promise<AgentRecord>;
}

interface Open extends Pick<Wanted, 'leastMs' | 'decide'> {
  readonly hostId: string;
  /** By the monotonic clock. */
  readonly until: number;
  isGranted: boolean;
}

/** How long before its caller gives up a host may do no more, in milliseconds: a tenth of the time, and no more than this. */
const answersWithin = 2_000;

/**
 * What hosts have been asked to do and may still do. A host asks for its permit right before it touches anything, and is told
 * then for how long it holds: what its caller was told not to be done is never done later, however long the question was on
 * its way.
 */
export class Permits {
  readonly #monotonic: () => number;
  readonly #open = new Map<string, Open>();

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** As it is, for a caller that waits for so many milliseconds from now on: nothing is done once that is over. */
  within(waitsMs: number): Pick<Permits, 'open'> {
    const until = this.#monotonic() + waitsMs - Math.min(answersWithin, waitsMs / 10);
    return {
      open: (hostId, { withinMs, leastMs, decide }) => {
        const left = Math.min(withinMs, until - this.#monotonic());
        // Whoever waits for less than it may take is given the half of that.
        return this.open(hostId, { withinMs: left, leastMs: Math.max(1, Math.min(leastMs, left / 2)), decide });
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
   * Grants a permit once: gives the agent as it stands, and for how long, in milliseconds from when the host asked.
   * @throws Failure `unavailable` where nobody waits for it any more; whatever `decide` refuses it with
   */
  async grant(ticket: string, hostId: string): Promise<{ record: AgentRecord; leftMs: number }> {
    const open = this.#open.get(ticket);
    if (open?.hostId !== hostId || open.isGranted) throw tooLate();
    const record = await open.decide();
    const leftMs = Math.floor(open.until - this.#monotonic());
    if (this.#open.get(ticket) !== open || open.isGranted || leftMs < open.leastMs) throw tooLate();
    open.isGranted = true;
    return { record, leftMs };
  }
}

function tooLate(): Failure {
  return new Failure(
    'unavailable',
    'Nothing was done: the host took it up when nobody waited for it any more; try again',
  );
}
