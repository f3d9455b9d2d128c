import type { Log } from '#contract/process-context.ts';
import { hostSilenceMs } from '#machines/host/host.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Store } from '#store/store.ts';

/** How often what hosts tell of themselves is written down, in milliseconds: well before a silence counts. */
const every = 10_000;

/** What a beat tells that moves nothing: that the host is there, and how its machine is. */
export type Pulse = Pick<StoredHost, 'seenAt' | 'condition'>;

/** The deadline that a host's silence runs into. */
export const silence = 'silence';

/**
 * Beats that say nothing new. They are kept in memory and written down together, so that a hundred hosts cost one write every ten seconds,
 * and no beat waits for a disk: what a registry that dies had not written is said anew with the next beats.
 */
export class Pulses {
  readonly #store: Pick<Store, 'write'>;
  readonly #log: Log;
  readonly #heard = new Map<string, Pulse>();
  readonly #unwritten = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Pick<Store, 'write'>, log: Log) {
    this.#store = store;
    this.#log = log;
    this.#timer = setInterval(() => void this.flush(), every);
  }

  note(hostId: string, pulse: Pulse): void {
    this.#heard.set(hostId, pulse);
    this.#unwritten.add(hostId);
  }

  /** Forgets hosts whose rows are gone. */
  drop(hostIds: readonly string[]): void {
    for (const id of hostIds) {
      this.#heard.delete(id);
      this.#unwritten.delete(id);
    }
  }

  /** A host's row with what it told since it was written. */
  freshen(host: StoredHost): StoredHost {
    const pulse = this.#heard.get(host.id);
    return pulse === undefined || pulse.seenAt < host.seenAt ? host : { ...host, ...pulse };
  }

  /** Moves when every host was heard by so many milliseconds, as the clock was. */
  shift(by: number): void {
    for (const [hostId, pulse] of this.#heard) this.#heard.set(hostId, { ...pulse, seenAt: pulse.seenAt + by });
  }

  /** Writes all of it down, in one write; what cannot be written is tried again with the next. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const told = [...this.#unwritten];
      if (told.length === 0) return;
      this.#unwritten.clear();
      await this.#write(told).catch((err: unknown) => {
        for (const hostId of told) this.#unwritten.add(hostId);
        this.#log.warn({ err }, 'what hosts told could not be written down yet');
      });
    });
    return this.#writing;
  }

  /** Writes what is left, and ends. */
  stop(): Promise<void> {
    clearInterval(this.#timer);
    return this.flush();
  }

  async #write(hostIds: readonly string[]): Promise<void> {
    await this.#store.write(async ({ hosts, deadlines }) => {
      for (const hostId of hostIds) {
        const pulse = this.#heard.get(hostId);
        if (pulse === undefined || !(await hosts.pulse(hostId, pulse))) continue;
        await deadlines.set({ owner: 'host', ownerId: hostId }, { [silence]: hostSilenceMs });
      }
    });
  }
}
