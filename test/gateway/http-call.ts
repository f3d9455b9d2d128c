import { type IncomingHttpHeaders, request } from 'node:http';
import type { GatewayFixture } from './gateway-fixture.ts';
import { authorization } from './gateway-fixture.ts';

/** An answer over HTTP/1.1, as it came. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: Record<string, unknown> | undefined;
}

/** What is sent: JSON with a good token if nothing else is said; a header that is null is left out. */
export interface HttpQuestion {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Uint8Array | object;
}

export const listAgents = '/agent.v1.AgentService/ListAgents';
export const createAgent = '/agent.v1.AgentService/CreateAgent';
export const watchAgents = '/agent.v1.AgentService/WatchAgents';
export const getAgent = '/agent.v1.AgentService/GetAgent';

/** Sends one HTTP/1.1 request, with every header under the test's hand. */
export function call(
  { port }: Pick<GatewayFixture, 'port'>,
  path: string,
  question: HttpQuestion = {},
): Promise<HttpAnswer> {
  const { method = 'POST', headers = {}, body = method === 'POST' ? {} : undefined } = question;
  const given = { 'content-type': 'application/json', authorization, ...headers };
  const sent = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers: sent, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const all = Buffer.concat(chunks);
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          bytes: all,
          text: all.toString(),
          json: jsonOf(all.toString()),
        });
      });
    });
    asked.on('error', reject);
    asked.end(bytes);
  });
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
