import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';
import { RegistryPresence } from '#contract/wire/registry-presence.ts';
import type { Bus, RequestOptions } from './bus.ts';
import { lateHeader } from './codec.ts';
import { figuresSubject, instanceSubject, presenceSubject, readySubject } from './subjects.ts';

/** How long a registry counts as present after it announced itself, in milliseconds. */
const presentMs = 2_500;

/** How long a request with a secret waits for a registry to announce itself, and how often it looks, in milliseconds. */
const [announcedWithinMs, lookEvery] = [3_000, 50];

/** Failures after which a registry gets no calls until it announces itself again. */
const unfit = ['NOBODY_ANSWERS', 'RESPONDER_LOST', 'DATABASE_UNAVAILABLE', 'DATABASE_READ_ONLY'] as const;

/**
 * A gateway's bus, which sends each request to the present registries in turn. The queue group alone would also give
 * requests to a registry that hangs or has lost its database, for as long as its connection is open. If no registry is
 * known, the queue group gets the request. Requests to a known registry are sealed to its key; those with a secret wait
 * for one.
 * @param installation the installation of this gateway, once it is known
 */
export function choosingRegistry(bus: Bus, installation: () => string | undefined): Bus {
  const present = new PresentRegistries(installation);
  bus.subscribe(presenceSubject, (body) => present.note(body));
  const request = async (subject: string, body: unknown, options: RequestOptions): Promise<unknown> => {
    const until = performance.now() + options.timeoutMs;
    const left = () => ({ ...options, timeoutMs: until - performance.now() });
    for (;;) {
      const registry = isForOne(subject) ? undefined : await present.choose(options);
      if (registry === undefined) return bus.request(subject, body, left());
      const { instance } = registry;
      try {
        return await bus.request(instanceSubject(subject, instance), body, toRegistry(left(), registry));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (unfit.some((reason) => error.isFor(reason))) present.drop(instance);
        // This registry did not get the request: try the next one.
        if (!error.isFor('NOBODY_ANSWERS')) throw error;
      }
    }
  };
  return {
    get connected() {
      return bus.connected;
    },
    get figures() {
      return bus.figures;
    },
    get sealKey() {
      return bus.sealKey;
    },
    request,
    roundTrip: () => bus.roundTrip(),
    exchange: (subject, data, options) => bus.exchange(subject, data, options),
    serve: (service) => bus.serve(service),
    publish: (subject, body) => bus.publish(subject, body),
    subscribe: (subject, listener) => bus.subscribe(subject, listener),
    onReconnect: (listener) => bus.onReconnect(listener),
    close: () => bus.close(),
  };
}

/** Whether a request is for one registry by its name. */
function isForOne(subject: string): boolean {
  return [figuresSubject, readySubject].some((shared) => subject.startsWith(`${shared}.`));
}

/** A registry that announced itself. */
interface AnnouncedRegistry {
  readonly instance: string;
  /** When it announced itself, by `performance.now`. */
  readonly announcedAt: number;
  /** Its own time then. */
  readonly now: number;
  readonly sealKey: string;
}

/**
 * The same options for one registry: with its key, and a deadline by its own clock, when the caller gives up on a silent
 * registry. So a registry that continues after a pause does nothing that the caller may have repeated elsewhere.
 */
function toRegistry(options: RequestOptions, { announcedAt, now, sealKey }: AnnouncedRegistry): RequestOptions {
  const { silenceMs, timeoutMs } = options;
  const lateAfter = now + (performance.now() - announcedAt) + Math.min(timeoutMs, silenceMs ?? timeoutMs);
  return { ...options, sealTo: sealKey, headers: { ...options.headers, [lateHeader]: String(Math.ceil(lateAfter)) } };
}

/** The registries that announced themselves recently. */
class PresentRegistries {
  readonly #installation: () => string | undefined;
  readonly #announced = new Map<string, AnnouncedRegistry>();
  #turn = 0;

  constructor(installation: () => string | undefined) {
    this.#installation = installation;
  }

  note(body: unknown): void {
    const { data } = RegistryPresence.safeParse(body);
    const own = this.#installation();
    if (data === undefined || (own !== undefined && data.installation !== own)) return;
    if (data.isLeaving) this.drop(data.instance);
    else this.#announced.set(data.instance, { ...data, announcedAt: performance.now() });
  }

  drop(instance: string): void {
    this.#announced.delete(instance);
  }

  /** The registry for a request; undefined if none is known. A request with a secret waits for one. */
  async choose({ isSecret = false, timeoutMs }: RequestOptions): Promise<AnnouncedRegistry | undefined> {
    const until = performance.now() + Math.min(timeoutMs, announcedWithinMs);
    for (;;) {
      const registry = this.#next();
      if (registry !== undefined || !isSecret || performance.now() >= until) return registry;
      await pause(lookEvery);
    }
  }

  /** The next registry in turn; undefined if none is known. */
  #next(): AnnouncedRegistry | undefined {
    const oldest = performance.now() - presentMs;
    for (const { instance, announcedAt } of this.#announced.values())
      if (announcedAt < oldest) this.#announced.delete(instance);
    this.#turn += 1;
    return [...this.#announced.values()][this.#turn % this.#announced.size];
  }
}
