import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { figuresSubject, instanceSubject } from '#bus/subjects.ts';
import { isIsolatedPeer } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import { type ProcessFigures, RegistryFigures } from '#contract/wire/figures.ts';
import type { Admission } from '#gateway/http/admission.ts';
import { peerOf } from '#gateway/http/peer.ts';
import { version } from '#gateway/http/version.ts';
import type { HandlerOptions } from '#gateway/rpc/answer.ts';
import { credentialOf, noCredential } from '#gateway/rpc/credential.ts';
import { exposition, expositionType } from './exposition.ts';
import { metricFamilies } from './families.ts';

/** How long the registry may take to return its counters, in milliseconds. */
const askMs = 2_000;

/** The sources of the metrics. */
export interface MetricsContext
  extends Pick<HandlerOptions, 'bus' | 'log' | 'callers' | 'throttle' | 'streams' | 'calls'> {
  readonly admission: Admission;
  readonly processFigures: (() => ProcessFigures) | undefined;
  /** Whether other computers can reach this gateway, through a proxy or directly. */
  readonly isPublic: boolean;
}

/**
 * Serves `GET /metrics` for Prometheus: without a token if only this computer can reach the gateway, and not to isolated agents;
 * else for people.
 */
export function routeMetrics(app: FastifyInstance, context: MetricsContext): void {
  app.get('/metrics', async (request, reply): Promise<FastifyReply> => {
    await refuseUnauthenticated(request, context);
    const [registries, roundTrip] = await Promise.all([registryFigures(context), roundTripOf(context)]);
    const own = {
      version,
      calls: context.calls.read(),
      admission: context.admission.figures,
      streams: context.streams.open,
      bus: context.bus.figures,
      roundTrip,
      process: context.processFigures?.(),
    };
    return reply.type(expositionType).send(exposition(metricFamilies(own, registries)));
  });
}

/** Requires a person's token. @throws UNAUTHENTICATED or PERMISSION_DENIED */
async function refuseUnauthenticated(
  request: FastifyRequest,
  { callers, throttle, isPublic }: MetricsContext,
): Promise<void> {
  const { address, showedToken } = peerOf(request.raw);
  if (!isPublic && !isForwarded(request) && !isIsolatedPeer(address)) return;
  const credential = credentialOf(request.headers.authorization);
  if (credential === undefined) throw noCredential();
  const caller = await throttle.admit(address, () => callers.ask(credential));
  showedToken(credential);
  if (caller.kind !== 'person') throw new Failure('PEOPLE_ONLY', 'Metrics are not offered to agents: ask the person');
}

/** Whether a proxy forwarded the request. */
function isForwarded({ headers }: FastifyRequest): boolean {
  return ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined);
}

/** The counters of every registry: any one names the others. Empty if none answers. */
async function registryFigures(context: MetricsContext): Promise<readonly RegistryFigures[]> {
  const first = await figuresAt(context, figuresSubject);
  if (first === undefined) return [];
  const others = await Promise.all(
    first.peers.map((peer) => figuresAt(context, instanceSubject(figuresSubject, peer))),
  );
  return [first, ...others.filter((one) => one !== undefined)];
}

async function figuresAt({ bus, log }: MetricsContext, subject: string): Promise<RegistryFigures | undefined> {
  try {
    return parseRequest(RegistryFigures, await bus.request(subject, {}, { timeoutMs: askMs }));
  } catch (error) {
    log.debug({ err: error, subject }, 'a registry did not return its metrics');
    return undefined;
  }
}

async function roundTripOf({ bus }: MetricsContext): Promise<number | undefined> {
  try {
    return (await bus.roundTrip()) / 1_000;
  } catch {
    return undefined;
  }
}
