import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span as OTLP carries it, and the attributes of the process that it came from. */
export interface Span {
  readonly resource: Readonly<Record<string, string>>;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status?: { readonly code?: number };
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string; readonly value: Value }[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<Span, 'resource'> & {
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
      })[];
    }[];
  }[];
}

/**
 * A fake collector: it accepts OTLP over HTTP in JSON, and keeps the spans.
 */
export interface Collector {
  readonly url: string;
  readonly spans: readonly Span[];
  /** The headers of the last request. */
  readonly headers: IncomingHttpHeaders;
  /** What was sent that is not an OTLP. */
  readonly faults: readonly string[];
  /** The spans of a trace. */
  of(traceId: string): readonly Span[];
  /** From now on requests are taken and never answered. */
  hang(): void;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const spans: Span[] = [];
  const faults: string[] = [];
  let headers: IncomingHttpHeaders = {};
  let hangs = false;
  const server = createServer((request, response) => {
    if (hangs) return;
    headers = request.headers;
    if (request.method !== 'POST' || request.url !== '/v1/traces') faults.push(`${request.method} ${request.url}`);
    if (request.headers['content-type'] !== 'application/json') faults.push(String(request.headers['content-type']));
    void json(request).then((body) => {
      for (const span of spansOf(body as Export)) {
        if (!isWellFormed(span)) faults.push(JSON.stringify(span));
        spans.push(span);
      }
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    faults,
    get headers() {
      return headers;
    },
    of: (traceId) => spans.filter((span) => span.traceId === traceId),
    hang() {
      hangs = true;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf({ resourceSpans }: Export): (Span & { startTimeUnixNano: string; endTimeUnixNano: string })[] {
  return resourceSpans.flatMap(({ resource: { attributes }, scopeSpans }) => {
    const resource = Object.fromEntries(
      attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]),
    );
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, resource })));
  });
}

function isWellFormed(span: ReturnType<typeof spansOf>[number]): boolean {
  const { traceId, spanId, parentSpanId = '', startTimeUnixNano: start, endTimeUnixNano: end } = span;
  const areIds =
    /^[0-9a-f]{32}$/.test(traceId) && /^[0-9a-f]{16}$/.test(spanId) && /^([0-9a-f]{16})?$/.test(parentSpanId);
  return areIds && span.name !== '' && /^\d+$/.test(start) && BigInt(end) >= BigInt(start);
}
