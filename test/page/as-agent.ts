import type { Stage } from './stage.ts';

/** Calls as an agent does, with its own token. */
export async function asAgent<T>(stage: Stage, agentId: string, method: string, request: object): Promise<T> {
  const { token } = await stage.call<{ token: string }>('IssueAgentToken', { agentId });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const address = `${stage.pieces.url}/agent.v1.AgentService/${method}`;
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(request) });
  if (!answer.ok) throw new Error(`${method}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
