import { Poller } from '#actors/worker/poller.ts';
import type { WorkScope } from '#actors/worker/work-scope.ts';
import type { Bus } from '#bus/bus.ts';
import type { Failure } from '#contract/failure.ts';
import { busDivided, RegistryHolder } from '#contract/wire/registry-lease.ts';
import type { Store } from '#store/store.ts';
import type { Tables } from '#store/tables.ts';
import { isOlder } from './holder.ts';

/** How long a registry counts as alive after it renews its lease, and how often it renews it, in milliseconds. */
const [leaseMs, every] = [6_000, 2_000];
/** How long before the end of its lease a leader stops relying on it, in milliseconds. */
const distrust = 1_000;
/** How long another registry may be alive without being seen on the bus, in milliseconds. */
const unseenMs = 60_000;
/** How long the row of a registry that ended is kept, in milliseconds. */
const keptMs = 86_400_000;

const prefix = 'registry/';
const leading = 'leader';

/** The dependencies of a registry that shares its database. */
interface PeerScope extends WorkScope {
  readonly bus: Pick<Bus, 'connected'>;
  readonly store: Store;
  readonly holder: RegistryHolder;
}

/**
 * The registries that share this one's database. Each keeps a lease in it; one of them is the leader: it alone does
 * work for which one registry is enough. Correctness never depends on that, because leases can be lost unnoticed. A
 * registry with a database of its own has no peers, and is the leader.
 */
export class Peers {
  readonly isShared: boolean;
  readonly #scope: PeerScope;
  readonly #seenOnBus = new Set<string>();
  /** Others, each with when it was first seen alive. */
  readonly #firstSeen = new Map<string, number>();
  #others: readonly RegistryHolder[] = [];
  #leadsUntil = Number.NEGATIVE_INFINITY;
  #poller: Poller | undefined;

  constructor(scope: PeerScope) {
    this.#scope = scope;
    this.isShared = scope.store.sharedTime !== undefined;
  }

  /** The other registries that were alive at the last check. */
  get others(): readonly RegistryHolder[] {
    return this.#others;
  }

  /** Whether this registry leads. */
  get leads(): boolean {
    return !this.isShared || this.#scope.timer.now() < this.#leadsUntil;
  }

  /** Whether another registry may share this database: it is of the same installation. */
  mayInclude({ installation }: RegistryHolder): boolean {
    return this.isShared && installation === this.#scope.holder.installation;
  }

  /** Whether another registry shares this database now. */
  async includes(other: RegistryHolder): Promise<boolean> {
    if (!this.mayInclude(other)) return false;
    const { instance } = other;
    if (this.#others.some((one) => one.instance === instance)) return true;
    const others = await this.#scope.store.read((tables) => this.#othersIn(tables));
    return others.some((one) => one.instance === instance);
  }

  /** Records that another registry is on this bus. */
  see({ instance }: RegistryHolder): void {
    this.#seenOnBus.add(instance);
  }

  /** Acquires this registry's lease, and reads which other registries are alive. */
  async join(): Promise<void> {
    if (this.isShared) await this.#renew();
  }

  /** Renews the lease from now on. `onDivided` is called once if a peer turns out to be on another bus. */
  start(onDivided: (why: Failure) => void): void {
    if (!this.isShared) return;
    const pass = async (): Promise<void> => {
      await this.#renew();
      const divided = this.#others.find((other) => this.#isElsewhere(other));
      if (divided !== undefined) onDivided(busDivided(divided, this.#scope.holder));
    };
    this.#poller = new Poller({ name: 'peers', every, pass }, this.#scope).start();
  }

  /** Releases the leases, so that others need not wait for them to expire. */
  async stop(): Promise<void> {
    if (!this.isShared) return;
    await this.#poller?.stop();
    this.#leadsUntil = Number.NEGATIVE_INFINITY;
    const { instance } = this.#scope.holder;
    await this.#scope.store.write(async ({ leases }) => {
      await leases.leave(prefix + instance, instance);
      await leases.leave(leading, instance);
    });
  }

  async #renew(): Promise<void> {
    const { store, holder, timer } = this.#scope;
    const { instance } = holder;
    const asked = timer.now();
    const { term, others } = await store.write(async (tables) => {
      const { leases } = tables;
      await leases.take(prefix + instance, { holder: instance, detail: holder }, leaseMs);
      const own = await leases.take(leading, { holder: instance }, leaseMs);
      if (own !== undefined) await leases.removeEnded(prefix, keptMs);
      return { term: own, others: await this.#othersIn(tables) };
    });
    this.#leadsUntil = term === undefined ? Number.NEGATIVE_INFINITY : asked + leaseMs - distrust;
    this.#others = others;
    for (const known of this.#firstSeen.keys())
      if (!others.some((other) => other.instance === known)) this.#firstSeen.delete(known);
    for (const other of others) if (!this.#firstSeen.has(other.instance)) this.#firstSeen.set(other.instance, asked);
  }

  async #othersIn({ leases }: Pick<Tables, 'leases'>): Promise<readonly RegistryHolder[]> {
    const held = await leases.heldUnder(prefix);
    return held
      .map(({ detail }) => RegistryHolder.parse(detail))
      .filter(({ instance }) => instance !== this.#scope.holder.instance);
  }

  /** Whether an older registry has long used this database without ever being seen on the bus. */
  #isElsewhere(other: RegistryHolder): boolean {
    const { bus, holder, timer } = this.#scope;
    const since = this.#firstSeen.get(other.instance) ?? Number.POSITIVE_INFINITY;
    const isUnseen = !this.#seenOnBus.has(other.instance) && timer.now() - since > unseenMs;
    return isUnseen && bus.connected && isOlder(other, holder);
  }
}
