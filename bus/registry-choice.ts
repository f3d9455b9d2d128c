import { Failure } from '#contract/failure.ts';
import { RegistryPresence } from '#contract/wire/registry-presence.ts';
import type { Bus, RequestOptions } from './bus.ts';
import { lateHeader } from './codec.ts';
import { figuresSubject, forOne, presenceSubject } from './subjects.ts';

/** How long a registry counts as present after it announced itself, in milliseconds. */
const presentMs = 2_500;

/** Failures after which a registry gets no calls until it announces itself again. */
const unfit = ['NOBODY_ANSWERS', 'RESPONDER_LOST', 'DATABASE_UNAVAILABLE', 'DATABASE_READ_ONLY'] as const;

/**
 * A gateway's bus, which sends each request to a registry that is present, in turn. The queue group alone would also
 * give requests to a registry that hangs or has lost its database, for as long as its connection is open. If no registry
 * is known, the queue group has the request.
 * @param installation the installation of this gateway, once it is known
 */
export function choosingRegistry(bus: Bus, installation: () => string | undefined): Bus {
  const present = new PresentRegistries(installation);
  bus.subscribe(presenceSubject, (body) => present.note(body));
  const request = async (subject: string, body: unknown, options: RequestOptions): Promise<unknown> => {
    const until = performance.now() + options.timeoutMs;
    const left = () => ({ ...options, timeoutMs: until - performance.now() });
    for (;;) {
      const registry = subject.startsWith(`${figuresSubject}.`) ? undefined : present.next();
      if (registry === undefined) return bus.request(subject, body, left());
      const { instance } = registry;
      try {
        return await bus.request(forOne(subject, instance), body, withLateness(left(), registry));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (unfit.some((reason) => error.isFor(reason))) present.drop(instance);
        // Nobody has it: the next one may.
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

/** A registry that announced itself. */
interface Present {
  readonly instance: string;
  /** When it was heard of, by `performance.now`. */
  readonly heardAt: number;
  /** Its own time then. */
  readonly now: number;
}

/**
 * The same options, with when the request is too late by the registry's own clock: once it is given up for silence. A
 * registry that goes on after a pause then does nothing that its caller may have done again.
 */
function withLateness(options: RequestOptions, { heardAt, now }: Present): RequestOptions {
  const { silenceMs, timeoutMs } = options;
  const lateAfter = now + (performance.now() - heardAt) + Math.min(timeoutMs, silenceMs ?? timeoutMs);
  return { ...options, headers: { ...options.headers, [lateHeader]: String(Math.ceil(lateAfter)) } };
}

/** The registries that announced themselves lately. */
class PresentRegistries {
  readonly #installation: () => string | undefined;
  readonly #heard = new Map<string, Present>();
  #turn = 0;

  constructor(installation: () => string | undefined) {
    this.#installation = installation;
  }

  note(body: unknown): void {
    const { data } = RegistryPresence.safeParse(body);
    const own = this.#installation();
    if (data === undefined || (own !== undefined && data.installation !== own)) return;
    if (data.isLeaving) this.drop(data.instance);
    else this.#heard.set(data.instance, { instance: data.instance, now: data.now, heardAt: performance.now() });
  }

  drop(instance: string): void {
    this.#heard.delete(instance);
  }

  /** The one whose turn it is; undefined if none is known. */
  next(): Present | undefined {
    const oldest = performance.now() - presentMs;
    for (const { instance, heardAt } of this.#heard.values()) if (heardAt < oldest) this.#heard.delete(instance);
    this.#turn += 1;
    return [...this.#heard.values()][this.#turn % this.#heard.size];
  }
}
