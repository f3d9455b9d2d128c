import { context, type Span, SpanKind, SpanStatusCode, type TextMapPropagator, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { Failure } from '#contract/failure.ts';
import { type SpanSpec, type Tracer, traceparentOf } from '#contract/tracer.ts';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
/** How long the last spans may take to be sent, in milliseconds. */
const stopWithin = 1_500;

/** A tracer that sends its spans by OTLP, and how to send the last ones. */
export interface Tracing {
  readonly tracer: Tracer;
  stop(): Promise<void>;
}

/** Sends spans by OTLP over HTTP to where OpenTelemetry's own variables say. `name` is the process'. */
export function openTracing(name: string, environment: Readonly<Record<string, string | undefined>>): Tracing {
  const service = environment['OTEL_SERVICE_NAME'] || `muster-${name}`;
  const resource = resourceFromAttributes({ 'service.name': service, 'process.pid': process.pid });
  const exporter = new OTLPTraceExporter();
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 500 })],
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

/** What is carried from one process to another, the bus and the database carry as text of their own. */
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
