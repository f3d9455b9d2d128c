import type { Service } from '#bus/bus.ts';

/** The queue group that instances of a service share, as the services protocol (ADR-32) names it. */
export const queueGroup = 'q';

/** The statistics of one endpoint. */
interface EndpointStats {
  requests: number;
  errors: number;
  lastError: string;
  processingMs: number;
}

/** One instance of a service as the services protocol shows it. */
export interface ServiceInstance {
  readonly id: string;
  /** The subjects of a verb: for all services, for all of its name, and for this instance. */
  subjects(verb: Verb): readonly string[];
  /** The answer to a verb. */
  answer(verb: Verb): object;
  /** Counts a call of an endpoint, with the reason if it was refused. */
  count(endpoint: string, milliseconds: number, error?: string): void;
}

/** The verbs that every service answers. */
export const verbs = ['PING', 'INFO', 'STATS'] as const;
type Verb = (typeof verbs)[number];

const nanoseconds = (milliseconds: number): number => Math.round(milliseconds * 1e6);

/** Counts the calls of an instance and builds its answers. `started` is a time in RFC 3339. */
export function serviceInstance(service: Service, id: string, started: string): ServiceInstance {
  const { name, version, description = '', metadata = {} } = service;
  const counts = new Map<string, EndpointStats>();
  for (const endpoint of service.endpoints) {
    counts.set(endpoint.name, { requests: 0, errors: 0, lastError: '', processingMs: 0 });
  }
  const identity = { name, id, version, metadata };
  const places = service.endpoints.map((one) => ({ name: one.name, subject: one.subject, queue_group: queueGroup }));
  const answers: Readonly<Record<Verb, () => object>> = {
    PING: () => ({ type: 'io.nats.micro.v1.ping_response', ...identity }),
    INFO: () => ({
      type: 'io.nats.micro.v1.info_response',
      ...identity,
      description,
      endpoints: places.map((place) => ({ ...place, metadata: {} })),
    }),
    STATS: () => ({
      type: 'io.nats.micro.v1.stats_response',
      ...identity,
      started,
      endpoints: [...counts.values()].map((counted, place) => ({ ...places[place], ...statsOf(counted) })),
    }),
  };
  return {
    id,
    subjects: (verb) => [`$SRV.${verb}`, `$SRV.${verb}.${name}`, `$SRV.${verb}.${name}.${id}`],
    answer: (verb) => answers[verb](),
    count(endpoint, milliseconds, error) {
      const counted = counts.get(endpoint);
      if (counted === undefined) return;
      counted.requests += 1;
      counted.processingMs += milliseconds;
      if (error === undefined) return;
      counted.errors += 1;
      counted.lastError = error;
    },
  };
}

function statsOf({ requests, errors, lastError, processingMs }: EndpointStats): object {
  return {
    num_requests: requests,
    num_errors: errors,
    last_error: lastError,
    processing_time: nanoseconds(processingMs),
    average_processing_time: requests === 0 ? 0 : nanoseconds(processingMs / requests),
  };
}
