/** The attributes of a span. */
export interface SpanSpec {
  /** What was done, such as `agent.v1.AgentService/CreateAgent`. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  /** The span that caused it, as W3C's traceparent; the span that is in progress if it is left out. */
  readonly parent?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** Notes what is done as spans of traces, and sends them to where somebody collects them. */
export interface Tracer {
  /** The span under way, as W3C's traceparent; undefined if there is none. */
  current(): string | undefined;
  /** Does the work as a span; one that fails is noted as such, and its error is thrown on. */
  span<T>(spec: SpanSpec, work: () => Promise<T>): Promise<T>;
}

/** The header, of HTTP and of the bus, that carries a traceparent. */
export const traceHeader = 'traceparent';

/** A traceparent that is well formed; undefined for anything else. */
export function traceparentOf(given: string | null | undefined): string | undefined {
  return given != null && /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(given)
    ? given
    : undefined;
}

/**
 * Does work that resulted from something as a span; as it is if nobody collects spans, or it came of nothing that is
 * traced.
 */
export function traced<T>(tracer: Tracer | undefined, spec: SpanSpec, work: () => Promise<T>): Promise<T> {
  if (tracer === undefined || (spec.parent === undefined && tracer.current() === undefined)) return work();
  return tracer.span(spec, work);
}
