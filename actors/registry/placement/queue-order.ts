import type { StoredHost } from '#store/host/host-entity.ts';
import { candidatesAmong, type HostRequirements, listed, waitsFor } from './host-fit.ts';
import type { HostRoom } from './host-room.ts';

/** A launch that is to be placed. */
export interface QueueEntry {
  readonly wanted: HostRequirements;
  /** Whether it may have a setup script to run. */
  readonly hasSetup: boolean;
  /** Hosts that were found not to be able to take it, and why. */
  readonly unfit?: ReadonlyMap<string, string>;
}

/** The hosts that a launch may be placed on now, or why it waits. */
export interface Turn {
  /** Best first. */
  readonly free: readonly StoredHost[];
  /** Empty if there is a free host. */
  readonly reason: string;
}

/** The highest position in the queue that is counted. */
const maxPlace = 10;

/** A launch that waits: the hosts that could take it, and what it waits for. */
interface EarlierLaunch {
  readonly candidates: ReadonlySet<string>;
  readonly what: string;
}

/**
 * Gives launches their turns, in the order in which they wait. A host that an earlier launch waits for is never given
 * to a later one, so that no launch starves.
 */
export class QueueOrder {
  readonly #hosts: readonly StoredHost[];
  readonly #room: HostRoom;
  readonly #awaited = new Set<string>();
  readonly #earlier: EarlierLaunch[] = [];

  constructor(hosts: readonly StoredHost[], room: HostRoom) {
    this.#hosts = hosts;
    this.#room = room;
  }

  /** The turn of the next launch. A free host counts as taken by it. */
  next({ wanted, hasSetup, unfit = new Map<string, string>() }: QueueEntry): Turn {
    const { candidates: found, lacks } = candidatesAmong(this.#hosts, wanted);
    const candidates = found.filter(({ id }) => !unfit.has(id));
    const full = candidates.map((host) => ({ host, why: this.whyFull(host, hasSetup) }));
    const free = full.flatMap(({ host, why }) => (why === undefined ? [host] : []));
    const [first] = free.sort((a, b) => this.#room.agentsOn(a) - this.#room.agentsOn(b));
    if (first !== undefined) {
      this.#room.take(first, hasSetup);
      return { free, reason: '' };
    }
    const ids = new Set(candidates.map(({ id }) => id));
    const what =
      candidates.length > 0
        ? `waits for room: ${listed(full.flatMap(({ why }) => why ?? []))}`
        : waitsFor([...lacks, ...found.flatMap(({ id }) => unfit.get(id) ?? [])]);
    const before = this.#earlier.filter((other) => isRival(other, { candidates: ids, what })).length;
    for (const id of ids) this.#awaited.add(id);
    this.#earlier.push({ candidates: ids, what });
    return { free, reason: `${what}; ${placeText(before + 1)}` };
  }

  /** Returns why a host has no room for the next launch, with or without a setup script; undefined if it has room. */
  whyFull(host: StoredHost, hasSetup: boolean): string | undefined {
    const full = this.#room.whyFull(host, hasSetup);
    return full ?? (this.#awaited.has(host.id) ? `earlier launches wait for ${host.name}` : undefined);
  }
}

/** Whether two launches wait for a host that both could take, or for the same thing. */
function isRival(one: EarlierLaunch, other: EarlierLaunch): boolean {
  if (one.candidates.size === 0 || other.candidates.size === 0) return one.what === other.what;
  return [...one.candidates].some((id) => other.candidates.has(id));
}

function placeText(place: number): string {
  return place > maxPlace ? `${maxPlace} or more launches are before it` : `place ${place} in the queue`;
}
