/** The attributes of a span. */
export interface SpanSpec {
  /** What was done, such as `agent.v1.AgentService/CreateAgent`. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  /** The span that caused it, as a W3C traceparent; by default the current span. */
  readonly parent?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** Records work as spans of traces, and exports them. */
export interface Tracer {
  /** The current span as a W3C traceparent; undefined if there is none. */
  current(): string | undefined;
  /** Runs the work in a span. If it fails, the span is marked as failed and the error is rethrown. */
  span<T>(spec: SpanSpec, work: () => Promise<T>): Promise<T>;
}

/** The header that carries a traceparent, in HTTP and on the bus. */
export const traceHeader = 'traceparent';

/** The given traceparent if it is well formed; else undefined. */
export function traceparentOf(given: string | null | undefined): string | undefined {
  return given != null && /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(given)
    ? given
    : undefined;
}

/** Runs the work in a span, unless traces are off or nothing that caused the work is traced. */
export function traced<T>(tracer: Tracer | undefined, spec: SpanSpec, work: () => Promise<T>): Promise<T> {
  if (tracer === undefined || (spec.parent === undefined && tracer.current() === undefined)) return work();
  return tracer.span(spec, work);
}
