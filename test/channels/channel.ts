import { commandName, type Operation, pathOf, toolName } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { runInside } from '#test/cli/command-line.ts';
import { call } from '#test/gateway/http-call.ts';
import { errorOf, openStream } from '#test/gateway/stream-call.ts';
import type { Instance } from './instance.ts';

/** The result of a call: its answer, or the code and message of its refusal. */
export type Outcome = { readonly answer: unknown } | { readonly refusal: Refusal };
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** The code of a refusal, or `answered`. */
export function codeOf(outcome: Outcome): string {
  return 'refusal' in outcome ? outcome.refusal.code : 'answered';
}

/** The operation of a method. */
export function rowOf(method: string): Operation {
  const row = operations.find((one) => one.method === method);
  if (row === undefined) throw new Error(`there is no operation ${method}`);
  return row;
}

/** The address of a call, and its token; no token if undefined. */
export interface Door {
  readonly url: string;
  readonly port: number;
  readonly token: string | undefined;
}

/** One way of calling operations. A watch returns its first answer. */
export interface Channel {
  readonly name: string;
  call(door: Door, row: Operation, request: object): Promise<Outcome>;
  /** What it calls the operations that it offers. */
  offered(door: Door): Promise<string[]>;
  /** What it calls an operation. */
  nameOf(row: Operation): string;
}

const bearer = (token: string | undefined) => ({ authorization: token === undefined ? null : `Bearer ${token}` });
const refusalOf = (error: Record<string, unknown> | undefined): Outcome => ({
  refusal: { code: String(error?.['code']), message: String(error?.['message'] ?? '') },
});

const http: Channel = {
  name: 'HTTP',
  async call(door, row, request) {
    const headers = bearer(door.token);
    if (row.watch === undefined) {
      const { status, json } = await call(door, `/${pathOf(row)}`, { headers, body: request });
      return status === 200 ? { answer: json } : refusalOf(json);
    }
    const stream = await openStream(door, `/${pathOf(row)}`, request, headers);
    const frame = await stream.next();
    await stream.close();
    return frame?.end === true ? refusalOf(errorOf(frame)) : { answer: frame?.json };
  },
  async offered(door) {
    const answered = operations.map(async (row) => {
      // In a form that none of them takes: what is there refuses it, and does nothing.
      const headers = { ...bearer(door.token), 'content-type': 'text/plain' };
      const { status } = await call(door, `/${pathOf(row)}`, { headers });
      return status === 404 ? [] : [pathOf(row)];
    });
    return (await Promise.all(answered)).flat();
  },
  nameOf: pathOf,
};

const mcp: Channel = {
  name: 'MCP',
  async call(door, row, request) {
    const given = { ...request, ...(row.watch && { timeoutSeconds: 1 }) };
    const answer = await speak(door, 'tools/call', { name: toolName(row), arguments: given });
    const { isError, structuredContent } = answer as { isError?: boolean; structuredContent?: Record<string, unknown> };
    if ('code' in answer) return refusalOf(answer);
    return isError ? refusalOf(structuredContent) : { answer: structuredContent };
  },
  async offered(door) {
    const { tools } = (await speak(door, 'tools/list', {})) as { tools: { name: string }[] };
    return tools.map(({ name }) => name);
  },
  nameOf: toolName,
};

/** Asks one thing over MCP: its result, the JSON-RPC error, or the body of what was refused at the door. */
async function speak(door: Door, method: string, params: object): Promise<Record<string, unknown>> {
  const { status, json, text } = await call(door, '/mcp', {
    headers: { ...bearer(door.token), accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method, params },
  });
  const said = json ?? (JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '{}') as Record<string, unknown>);
  return (status === 200 ? (said['result'] ?? said['error']) : said) as Record<string, unknown>;
}

const commandLine: Channel = {
  name: 'the command line',
  async call(door, row, request) {
    const stop = new AbortController();
    const argv = ['rpc', commandName(row), '-o', 'json', '--json', JSON.stringify(request)];
    const onOut = row.watch && ((out: string) => out.includes('\n') && stop.abort());
    const { code, out, err } = await runInside(argv, {
      ...settingOf(door),
      signal: stop.signal,
      ...(onOut && { onOut }),
    });
    if (code === 0) return { answer: JSON.parse(out.split('\n')[0] ?? '') };
    const { code: refused, message } = JSON.parse(err) as Refusal;
    return { refusal: { code: refused, message: message.replace(/\. `muster rpc \S+ --help` lists the flags$/, '') } };
  },
  async offered(door) {
    const { out } = await runInside(['rpc', '--help'], settingOf(door));
    return [...out.matchAll(/^ {2}([a-z][a-z-]+) /gm)].map(([, name = '']) => name);
  },
  nameOf: commandName,
};

function settingOf({ url, token }: Door) {
  const env = token === undefined ? { MUSTER_HOME: '/nonexistent' } : { SERVICE_TOKEN: token };
  return { env: { SERVICE_BASE_URL: url, ...env } };
}

/** Every way of calling operations. */
export const channels: readonly Channel[] = [http, mcp, commandLine];

/** The door of an instance for whoever holds a token. */
export function doorOf({ url, port }: Instance, token: string | undefined): Door {
  return { url, port, token };
}
