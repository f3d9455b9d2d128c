import type { FastifyInstance } from 'fastify';
import type { Bus } from '#bus/bus.ts';
import { readySubject } from '#bus/subjects.ts';
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

/**
 * Serves `GET /healthz`: this process is running; and `GET /readyz`: the bus answers, and the registry can read and
 * write its database, else 503 with what is wrong. Without an online host everything else works, so that is `degraded`
 * and 200.
 */
export function routeHealth(app: FastifyInstance, bus: Bus): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    let hosts: RegistryReadiness['hosts'];
    const askRegistry = async (): Promise<void> => {
      if (!bus.connected) throw unreachable();
      const answer = await bus.request(readySubject, {}, { timeoutMs: askMs });
      hosts = parseRequest(RegistryReadiness, answer).hosts;
    };
    const [onBus, onRegistry] = await Promise.all([check(() => bus.roundTrip()), check(askRegistry)]);
    const ready = onBus.ok && onRegistry.ok;
    const status = !ready ? 'unavailable' : hosts?.online === 0 ? 'degraded' : 'ok';
    const body = { status, bus: onBus, registry: onRegistry, ...(hosts && { hosts: checkHosts(hosts) }) };
    return reply.code(ready ? 200 : 503).send(body);
  });
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
