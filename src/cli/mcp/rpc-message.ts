import { Failure } from '#contract/failure.ts';

/** A JSON-RPC message of MCP: a request, a notification (without an id), or an answer (without a method). */
export interface RpcMessage {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A message that needs an answer. */
export interface RpcRequest extends RpcMessage {
  readonly id: string | number;
  readonly method: string;
}

const codes = { parse: -32700, invalidRequest: -32600, internal: -32603 } as const;
const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Parses one line. If it is not a message, `refusal` is the answer to it. */
export function readMessage(line: string): RpcMessage | { readonly refusal: RpcMessage } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { refusal: errorAnswer(null, codes.parse, 'The line is not JSON') };
  }
  if (typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0') {
    return value as RpcMessage;
  }
  return { refusal: errorAnswer(null, codes.invalidRequest, 'The line is not one message of JSON-RPC 2.0') };
}

/** Whether a message needs an answer. */
export function isRequest(message: RpcMessage): message is RpcRequest {
  const { id, method } = message;
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number');
}

/** The revision that a message names, as in MCP 2026-07-28; undefined for a message of MCP 2025. */
export function revisionOf({ params }: RpcMessage): string | undefined {
  const meta = params?.['_meta'] as Readonly<Record<string, unknown>> | undefined;
  const version = meta?.[versionKey];
  return typeof version === 'string' ? version : undefined;
}

/** The `_meta` of a request of MCP 2026-07-28 that this relay makes itself. */
export function metaOf(revision: string): Readonly<Record<string, unknown>> {
  return {
    [versionKey]: revision,
    'io.modelcontextprotocol/clientInfo': { name: 'muster mcp', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
}

/** The answer that reports a failure. For a tool call it is a tool's result, so that the model reads it. */
export function failureAnswer(request: RpcRequest, failure: Failure): RpcMessage {
  const { code, message } = failure;
  const { id, method } = request;
  const text = `${code}: ${message}`;
  if (method !== 'tools/call') return errorAnswer(id, codes.internal, text, failure.toJSON());
  const result = { isError: true, content: [{ type: 'text', text }], structuredContent: { ...failure.toJSON() } };
  return { jsonrpc: '2.0', id, result: revisionOf(request) ? { ...result, resultType: 'complete' } : result };
}

/** muster's failure in an answer; undefined if there is none. */
export function failureIn({ error }: RpcMessage): Failure | undefined {
  const { data } = error ?? {};
  return typeof data === 'object' && data !== null && 'code' in data ? Failure.fromJSON(data) : undefined;
}

function errorAnswer(id: RpcMessage['id'], code: number, message: string, data?: unknown): RpcMessage {
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message, ...(data === undefined ? {} : { data }) } };
}
