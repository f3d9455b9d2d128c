import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';
import type { Pieces } from './pieces.ts';

/** How long a call is asked again while a piece of the service is away, in milliseconds. */
const patience = 300_000;
/**
 * How long to wait before one that is away is asked again, in milliseconds: many callers must not keep it from
 * starting.
 */
const pauseMs = 300;

/** Calls operations of AgentService as one agent. */
export interface AgentCaller {
  readonly agentId: string;
  /** Asks again, the very same, while the service cannot be reached. @throws Failure if it refuses */
  call<T>(method: string, request: object): Promise<T>;
}

/**
 * An agent of a running installation as a caller, by its own token. One call may take this many milliseconds: a call
 * in progress in a killed process is never answered.
 */
export async function agentCaller(
  pieces: Pick<Pieces, 'call' | 'url'>,
  agentId: string,
  answersWithin = 3_000,
): Promise<AgentCaller> {
  const { token } = await pieces.call<{ token: string }>('agent.v1.AgentService/IssueAgentToken', { agentId });
  return {
    agentId,
    async call<T>(method: string, request: object): Promise<T> {
      const end = performance.now() + patience;
      for (;;) {
        const answer = await ask<T>(`${pieces.url}/agent.v1.AgentService/${method}`, token, request, answersWithin);
        if (answer !== undefined) return answer;
        if (performance.now() > end) throw new Error(`${method} was not answered within ${patience} ms`);
        await pause(pauseMs);
      }
    },
  };
}

async function ask<T>(url: string, token: string, request: object, within: number): Promise<T | undefined> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    'connect-timeout-ms': String(within),
  };
  const body = JSON.stringify(request);
  // The service may end at any moment: also while the answer is on its way.
  const reply = await fetch(url, { method: 'POST', headers, body })
    .then(async (one) => ({ status: one.status, said: (await one.json()) as T & { code: string; message: string } }))
    .catch(() => undefined);
  if (!reply || [500, 502, 503, 504].includes(reply.status)) return undefined;
  if (reply.status === 200) return reply.said;
  throw Failure.fromJSON(reply.said);
}
