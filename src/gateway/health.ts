import type { FastifyInstance } from 'fastify';
import type { Bus } from '#bus/bus.ts';
import { instanceSubject, readySubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import { RegistryReadiness } from '#contract/wire/figures.ts';

/** How long the registry may take to answer, in milliseconds. */
const askMs = 1_000;

/** The result of one check. */
interface HealthCheck {
  readonly ok: boolean;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** What is wrong. */
  readonly why?: string;
}

/** One of the registries, by its machine. */
interface RegistryCheck extends HealthCheck {
  readonly machine: string;
}

/**
 * Serves `GET /healthz`: this process is running; and `GET /readyz`: the bus answers, and a registry can read and write
 * the database, else 503 with what is wrong. It lists every registry that shares the database. Without an online host
 * everything else works, and without one of several registries or a backup everything does, so that is `degraded` and 200.
 */
export function routeHealth(app: FastifyInstance, bus: Bus): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    let readiness: RegistryReadiness | undefined;
    const askRegistry = async (): Promise<void> => {
      if (!bus.connected) throw unreachable();
      readiness = parseRequest(RegistryReadiness, await bus.request(readySubject, {}, { timeoutMs: askMs }));
    };
    const [onBus, onRegistry] = await Promise.all([check(() => bus.roundTrip()), check(askRegistry)]);
    const registries = await checkRegistries(bus, onRegistry, readiness);
    const { hosts, backups } = readiness ?? {};
    const ready = onBus.ok && onRegistry.ok;
    const isWhole = hosts?.online !== 0 && registries.every(({ ok }) => ok) && backups?.ok !== false;
    const body = {
      status: !ready ? 'unavailable' : isWhole ? 'ok' : 'degraded',
      bus: onBus,
      registry: onRegistry,
      ...(registries.length > 0 && { registries }),
      ...(hosts && { hosts: checkHosts(hosts) }),
      ...(backups && { backups }),
    };
    return reply.code(ready ? 200 : 503).send(body);
  });
}

/** Every registry, by the names of their machines: the one that has answered, and the others, which it names. */
async function checkRegistries(
  bus: Bus,
  first: HealthCheck,
  { registry, peers = [] }: Partial<RegistryReadiness> = {},
): Promise<readonly RegistryCheck[]> {
  if (registry === undefined) return [];
  const askPeer = (instance: string) =>
    check(() => bus.request(instanceSubject(readySubject, instance), {}, { timeoutMs: askMs }));
  const others = peers.map(async ({ machine, instance }) => ({ machine, ...(await askPeer(instance)) }));
  const all = [{ machine: registry.machine, ...first }, ...(await Promise.all(others))];
  return all.toSorted((one, other) => (one.machine < other.machine ? -1 : one.machine > other.machine ? 1 : 0));
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
