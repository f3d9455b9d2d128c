import type { Client, RequestOf } from '#cli/client/client.ts';
import { follow } from '#cli/client/follow.ts';
import type { Session } from '#cli/client/session.ts';
import { everyAgent, foundIn } from '#cli/find/find-agent.ts';
import { stateText } from '#cli/print/agent-state.ts';
import { shortName } from '#cli/print/words.ts';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentOutcome } from '#contract/agent/agent-outcome.ts';
import { Failure } from '#contract/failure.ts';
import type { AwaitedAgent } from '#contract/operations/wait.ts';
import { printable } from '#contract/printable.ts';

/** The words for outcomes on the command line. */
export const outcomes = {
  finished: 'AGENT_OUTCOME_FINISHED',
  ended: 'AGENT_OUTCOME_ENDED',
  failed: 'AGENT_OUTCOME_FAILED',
  waits: 'AGENT_OUTCOME_WAITS',
  gone: 'AGENT_OUTCOME_GONE',
  'over-budget': 'AGENT_OUTCOME_OVER_BUDGET',
} as const satisfies Record<string, AgentOutcome>;

/** The exit codes of outcomes that were not waited for, the gravest first. */
const exitCodes: readonly (readonly [AgentOutcome, number])[] = [
  ['AGENT_OUTCOME_FAILED', 21],
  ['AGENT_OUTCOME_ENDED', 20],
  ['AGENT_OUTCOME_GONE', 23],
  ['AGENT_OUTCOME_WAITS', 22],
  ['AGENT_OUTCOME_OVER_BUDGET', 24],
];

/** Those exit codes, for help texts. */
export const exitCodeHelp =
  '20 if its CLI ended, 21 if its launch failed, 22 if it waits for a person, 23 if it was archived or deleted, 24 if a budget ' +
  'holds it, 10 if the time ran out';

/** Whom to wait for, and what for. */
export type WaitRequest = Omit<RequestOf<'agent.v1.AgentService/WaitForAgents'>, 'cursor'>;

/**
 * Waits for agents, across restarts of the service, and returns their outcomes.
 * @throws DEADLINE_EXCEEDED past the time limit
 */
export async function awaitAgents(
  { io }: Pick<Session, 'io'>,
  client: Client,
  request: WaitRequest,
  timeoutMs: number | undefined,
): Promise<readonly AwaitedAgent[]> {
  const late = timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)];
  const signal = AbortSignal.any([...late, ...(io.signal === undefined ? [] : [io.signal])]);
  const answers = follow({ ...io, signal }, (cursor) =>
    client.watch(
      'agent.v1.AgentService/WaitForAgents',
      { ...request, ...(cursor !== undefined && { cursor }) },
      signal,
    ),
  );
  for await (const { agents = [], factsForgotten } of answers) {
    if (agents.length === 0) continue;
    if (factsForgotten)
      io.stderr.write('Facts since the wait began are no longer kept: outcomes that were over before may be missing\n');
    return agents;
  }
  throw new Failure('WAIT_ENDED', await inTimeText(client, request, io.now()));
}

/** How many agents are named whose time ran out. */
const maxNamed = 5;

/** The agents whose outcome was waited for, with what they do now. */
async function inTimeText(client: Client, { agentIds = [], workflowId }: WaitRequest, now: number): Promise<string> {
  const rows = await everyAgent(client, false).catch(() => []);
  const isMeant = ({ id = '', workflowId: own }: Agent): boolean =>
    agentIds.includes(id) || (workflowId !== undefined && own === workflowId);
  const doing = foundIn(rows)
    .filter(({ agent }) => isMeant(agent))
    .map(({ name, row }) => `${name}: ${stateText(row, now)}`);
  const more = doing.length > maxNamed ? `; ${doing.length - maxNamed} more` : '';
  const states = doing.length === 0 ? 'muster ls shows what they do' : doing.slice(0, maxNamed).join('; ') + more;
  return `no outcome in time. ${states}`;
}

/** The exit code for the outcomes of agents: 0 if they were waited for, or the agents finished. */
export function exitCodeFor(agents: readonly AwaitedAgent[], until: readonly AgentOutcome[]): number {
  const came = agents.flatMap(({ outcome }) => outcome ?? []);
  const found = exitCodes.find(([outcome]) => came.includes(outcome) && !until.includes(outcome));
  return found?.[1] ?? 0;
}

/** The outcome of an agent, in a line. */
export function awaitedLine({ name = '', outcome, turn, reason = '', hasResult }: AwaitedAgent): string {
  const notes = [turn !== undefined && `turn ${turn}`, hasResult && 'has a result'].filter(Boolean);
  const [first = ''] = reason.split('\n');
  const said = notes.length > 0 ? ` (${notes.join(', ')})` : '';
  return `${printable(name)}  ${shortName(outcome ?? '')}${said}${first && `: ${printable(first)}`}\n`;
}
