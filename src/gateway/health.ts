import type { FastifyInstance } from 'fastify';
import type { Bus } from '#bus/bus.ts';
import { instanceSubject, readySubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import { type RegistryName, RegistryReadiness } from '#contract/wire/figures.ts';

/** How long the registry may take to answer, in milliseconds. */
const askMs = 1_000;

/** The result of one check. */
interface HealthCheck {
  readonly ok: boolean;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** The problem. */
  readonly why?: string;
}

/** One of the registries, by its machine. */
interface RegistryCheck extends HealthCheck {
  readonly machine: string;
}

/** The answer of a registry, if it gave one. */
interface RegistryReply extends HealthCheck {
  readonly readiness?: RegistryReadiness;
}

/**
 * Serves `GET /healthz`: this process is running; and `GET /readyz`: the bus answers, and a registry can read and write
 * the database, else 503 with what is wrong. It lists every registry that shares the database. Without an online host
 * everything else works, and without one of several registries or a backup everything does, so that is `degraded` and
 * 200.
 */
export function routeHealth(app: FastifyInstance, bus: Bus): void {
  const ready = new Readiness(bus);
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const [onBus, { first, registries }] = await Promise.all([check(() => bus.roundTrip()), ready.look()]);
    const { readiness, ...onRegistry } = first;
    const { hosts, backups } = readiness ?? {};
    const isReady = onBus.ok && onRegistry.ok;
    const isWhole = hosts?.online !== 0 && registries.every(({ ok }) => ok) && backups?.ok !== false;
    const body = {
      status: !isReady ? 'unavailable' : isWhole ? 'ok' : 'degraded',
      bus: onBus,
      registry: onRegistry,
      ...(registries.length > 0 && { registries }),
      ...(hosts && { hosts: checkHosts(hosts) }),
      ...(backups && { backups }),
    };
    return reply.code(isReady ? 200 : 503).send(body);
  });
}

/**
 * Asks registries whether they are ready: whichever gets the next call, and beside it each of those that were there
 * last time. One that hangs gets calls until it has announced nothing for a while, and must not make the gateway look
 * unready.
 */
class Readiness {
  readonly #bus: Bus;
  #known: readonly RegistryName[] = [];

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** The first answer, or why there is none; and every registry that it names, by their machines. */
  async look(): Promise<{ readonly first: RegistryReply; readonly registries: readonly RegistryCheck[] }> {
    const [any, ...named] = await Promise.all([
      this.#ask(readySubject),
      ...this.#known.map((one) => this.#askOne(one)),
    ]);
    const first = any.ok ? any : (named.find(({ ok }) => ok) ?? any);
    const looks = new Map(this.#known.map(({ instance }, at) => [instance, named[at]]));
    const { registry, peers = [] } = first.readiness ?? {};
    if (registry === undefined) return { first, registries: [] };
    looks.set(registry.instance, first);
    this.#known = [registry, ...peers];
    const registries = this.#known.map(async (one): Promise<RegistryCheck> => {
      const { readiness: _, ...found } = looks.get(one.instance) ?? (await this.#askOne(one));
      return { machine: one.machine, ...found };
    });
    return { first, registries: (await Promise.all(registries)).toSorted(byMachine) };
  }

  #askOne({ instance }: RegistryName): Promise<RegistryReply> {
    return this.#ask(instanceSubject(readySubject, instance));
  }

  async #ask(subject: string): Promise<RegistryReply> {
    let readiness: RegistryReadiness | undefined;
    const found = await check(async () => {
      if (!this.#bus.connected) throw unreachable();
      readiness = parseRequest(RegistryReadiness, await this.#bus.request(subject, {}, { timeoutMs: askMs }));
    });
    return { ...found, ...(readiness && { readiness }) };
  }
}

function byMachine({ machine: one }: RegistryCheck, { machine: other }: RegistryCheck): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function checkHosts({ online, known }: NonNullable<RegistryReadiness['hosts']>) {
  if (online === known && known > 0) return { ok: true, online, known };
  const why = known === 0 ? 'no host has come online yet' : `${known - online} of ${known} hosts do not answer`;
  return { ok: false, online, known, why };
}

/**
 * The failure of a lost connection. A request on the bus would wait for it instead, and a probe wants the answer now.
 */
function unreachable(): Failure {
  return new Failure('BUS_UNAVAILABLE', 'The registry cannot be asked: the connection to the bus is lost');
}

async function check(ask: () => Promise<unknown>): Promise<HealthCheck> {
  const started = performance.now();
  const took = (): number => Math.round(performance.now() - started);
  try {
    await ask();
    return { ok: true, ms: took() };
  } catch (error) {
    return { ok: false, ms: took(), why: error instanceof Failure ? error.message : 'it failed: the log says more' };
  }
}
