import { phaseOfAgent } from '#actors/registry/agent/agent-standing.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { Failure } from '#contract/failure.ts';
import { moveAgent } from '#contract/operations/move.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { Tables } from '#store/tables.ts';
import type { MoveRequest } from './choose-target.ts';

/** How many children a refusal names. */
const maxNamed = 5;

/** @throws FAILED_PRECONDITION when an agent cannot move to any host; the message says what to do */
export async function requireMovable({ agents }: Tables, agent: StoredAgent): Promise<void> {
  const phase = phaseOfAgent(agent);
  if (agent.movingTo != null) {
    throw notPossible(agent, `it moves to ${agent.movingTo} already: wait, or cancel that`);
  }
  if (!/^(?:live|dormant$|archived$)/.test(phase) || agent.queued) {
    throw new Failure(
      'WRONG_AGENT_STATE',
      `${moveAgent.method} is not possible for agent ${describeAgent(agent)} in ${agent.state} (${phase}): wait until it is set up`,
      { metadata: { agentId: agent.id, state: agent.state, phase } },
    );
  }
  // Children work in its directory, and would continue to write there while it is packed.
  const open = (await agents.childrenOf(agent.id)).filter((child) => phaseOfAgent(child) !== 'archived');
  if (open.length > 0) {
    const names = open.slice(0, maxNamed).map(describeAgent).join(', ');
    const more = open.length > maxNamed ? ` and ${open.length - maxNamed} more` : '';
    throw notPossible(
      agent,
      `its children ${names}${more} are not archived, and work in its directory: archive them first. They follow it once it has ` +
        'arrived, and can be restored there',
    );
  }
  if (agent.sessionId != null && (await agents.isSessionOfOthers(agent.id, agent.sessionId))) {
    throw notPossible(agent, 'its conversation is another agent’s too');
  }
}

/**
 * The request to move an agent, which for a child leads to its parent: it follows a parent that has moved, and moves
 * nowhere else.
 * @throws FAILED_PRECONDITION when its parent is on the same host, moves, or is elsewhere than the request says
 */
export async function withParent(
  { agents, hosts }: Tables,
  agent: StoredAgent,
  request: MoveRequest,
): Promise<MoveRequest> {
  if (agent.parentAgentId == null) return request;
  const parent = await agents.find(agent.parentAgentId);
  if (parent === undefined || parent.standing === 'gone') return request;
  const its = `it is a child, which is always on the host of its parent ${describeAgent(parent)}`;
  if (parent.movingTo != null) throw notPossible(agent, `${its}, which moves now: wait until that has arrived`);
  if (parent.host === agent.host) throw notPossible(agent, `${its}: move that, which it follows`);
  const { id, name } = (await hosts.find(parent.host)) ?? { id: parent.host, name: parent.host };
  if (request.host && request.host !== id && request.host !== name) throw notPossible(agent, `${its}, ${name}`);
  return { ...request, host: id, dir: parent.cwd };
}

/** The refusal of a move. */
export function notPossible(agent: Pick<StoredAgent, 'id' | 'name'>, why: string): Failure {
  return new Failure('MOVE_NOT_POSSIBLE', `Agent ${describeAgent(agent)} cannot move: ${why}`, {
    metadata: { agentId: agent.id },
  });
}
