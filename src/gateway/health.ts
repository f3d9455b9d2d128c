import type { FastifyInstance } from 'fastify';
import type { Bus } from '#bus/bus.ts';
import { readySubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';

/** How long the registry may take to say that it is there, in milliseconds. */
const askMs = 1_000;

/** What became of one look. */
interface Look {
  readonly ok: boolean;
  /** How long it took. */
  readonly ms: number;
  /** What is wrong. */
  readonly why?: string;
}

/** `GET /healthz`: this process lives. `GET /readyz`: the bus and the registry with its database answer, or what is wrong. */
export function routeHealth(app: FastifyInstance, bus: Bus): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const [onBus, onRegistry] = await Promise.all([
      look(() => bus.roundTrip()),
      look(() => (bus.connected ? bus.request(readySubject, {}, { timeoutMs: askMs }) : unreachable())),
    ]);
    const ready = onBus.ok && onRegistry.ok;
    const body = { status: ready ? 'ok' : 'unavailable', bus: onBus, registry: onRegistry };
    return reply.code(ready ? 200 : 503).send(body);
  });
}

/** A request would wait for the connection to come back: whoever asks here wants to know how it is now. */
async function unreachable(): Promise<never> {
  throw new Failure('unavailable', 'The registry cannot be asked: the connection to the bus is lost');
}

async function look(ask: () => Promise<unknown>): Promise<Look> {
  const started = performance.now();
  const took = (): number => Math.round(performance.now() - started);
  try {
    await ask();
    return { ok: true, ms: took() };
  } catch (error) {
    return { ok: false, ms: took(), why: error instanceof Failure ? error.message : 'it failed: the log says more' };
  }
}
