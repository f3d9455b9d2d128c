import {
  context,
  DiagLogLevel,
  diag,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { type SpanSpec, type Tracer, traceparentOf } from '#contract/tracer.ts';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
/** The time limit for sending the last spans, in milliseconds. */
const stopWithin = 1_500;
/** How long spans wait to be sent together, in milliseconds, unless `OTEL_BSP_SCHEDULE_DELAY` is set. */
const gatherFor = 500;
/** How often a failure to send spans is logged, in milliseconds. */
const reportEveryMs = 60_000;

/** A tracer that sends its spans by OTLP, and a function that sends the last ones. */
export interface Tracing {
  readonly tracer: Tracer;
  stop(): Promise<void>;
}

/**
 * Sends spans by OTLP over HTTP to the address in OpenTelemetry's own variables, in the background. Spans that cannot
 * be sent are dropped and logged. `name` is that of the process.
 */
export function openTracing(name: string, log: Log): Tracing {
  reportComplaints(log);
  const own = resourceFromAttributes({
    'service.name': `muster-${name}`,
    'process.pid': process.pid,
    'muster.component': name,
  });
  // The resource attributes from the person's variables override our own.
  const resource = own.merge(detectResources({ detectors: [envDetector] }));
  const exporter = new OTLPTraceExporter();
  const batch = process.env['OTEL_BSP_SCHEDULE_DELAY'] ? {} : { scheduledDelayMillis: gatherFor };
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(exporter, batch)],
  });
  provider.register({ propagator: noPropagator });
  const tracer = trace.getTracer('muster');
  return {
    tracer: {
      current: () => textOf(trace.getActiveSpan()),
      span: ({ name, kind, parent, attributes = {} }, work) => {
        const from = parent === undefined ? context.active() : contextOf(parent);
        return tracer.startActiveSpan(name, { kind: kinds[kind], attributes }, from, (span) => finishing(span, work));
      },
    },
    stop: () => Promise.race([provider.shutdown().catch(() => undefined), after(stopWithin)]),
  };
}

/** Logs the library's messages, at a rate that a person can read. */
function reportComplaints(log: Log): void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const report = (message: string): void => {
    if (performance.now() - reportedAt < reportEveryMs) return;
    reportedAt = performance.now();
    log.warn({ reason: message.slice(0, 500) }, 'traces cannot be sent');
  };
  const nothing = (): void => {};
  diag.setLogger(
    { error: report, warn: report, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

/** Propagates nothing: the bus and the database pass the trace context on in their own way. */
const noPropagator: TextMapPropagator = { inject: () => {}, extract: (given) => given, fields: () => [] };

async function finishing<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Failure ? error.code : 'internal';
    span.setAttribute('muster.code', code);
    span.setStatus({ code: SpanStatusCode.ERROR, message: code });
    throw error;
  } finally {
    span.end();
  }
}

function textOf(span: Span | undefined): string | undefined {
  if (span === undefined) return undefined;
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function contextOf(parent: SpanSpec['parent']) {
  const [, traceId = '', spanId = '', flags = ''] = traceparentOf(parent)?.split('-') ?? [];
  if (traceId === '') return context.active();
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return trace.setSpanContext(context.active(), spanContext);
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
