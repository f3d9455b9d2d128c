import type { ReviewLauncher, ReviewNotCounting } from '#contract/review/review.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { AgentTable } from '#store/agent/agent-table.ts';
import type { Tables } from '#store/tables.ts';

type ReadTables = Pick<Tables, 'agents' | 'hosts'>;

/** Who wrote a review, and whether its verdict counts. */
interface AuthorReviewStatus {
  /** The reviewer's name; undefined for a person. */
  readonly name?: string | undefined;
  /** Who launched it; undefined for a person. */
  readonly launcher?: ReviewLauncher | undefined;
  /** Why the verdict does not count; undefined if it does. */
  readonly notCounting?: ReviewNotCounting | undefined;
}

/**
 * Whether the verdict of an author (`person`, or an agent's id) on an agent's work counts. It does for a person, and
 * for a coding agent that a person, a schedule or an orchestrator launched.
 */
export async function authorReviewStatus(
  tables: ReadTables,
  harnesses: Harnesses,
  reviewed: string,
  author: string,
): Promise<AuthorReviewStatus> {
  if (author === 'person') return {};
  const reviewer = await tables.agents.find(author);
  if (reviewer === undefined) return { notCounting: 'REVIEW_NOT_COUNTING_LAUNCHER_GONE' };
  const fault = await launchFault(tables.agents, reviewed, reviewer);
  const isCoding = await isCodingAgent(tables, harnesses, reviewer);
  return {
    name: reviewer.name,
    launcher: await launcherOf(tables.agents, reviewer),
    notCounting: fault ?? (isCoding ? undefined : 'REVIEW_NOT_COUNTING_NO_CODING_AGENT'),
  };
}

async function launcherOf(agents: AgentTable, { spawnedByAgentId, scheduleId }: StoredAgent): Promise<ReviewLauncher> {
  if (spawnedByAgentId != null) {
    const name = (await agents.find(spawnedByAgentId))?.name;
    return { kind: 'REVIEW_LAUNCHER_KIND_AGENT', agentId: spawnedByAgentId, name };
  }
  if (scheduleId != null) return { kind: 'REVIEW_LAUNCHER_KIND_SCHEDULE', scheduleId };
  return { kind: 'REVIEW_LAUNCHER_KIND_HUMAN' };
}

/**
 * Why the verdict of a reviewer does not count because of who launched it, directly or not; undefined if those are only
 * people, schedules and orchestrators.
 */
async function launchFault(
  agents: AgentTable,
  reviewed: string,
  reviewer: StoredAgent,
): Promise<ReviewNotCounting | undefined> {
  const launchers = await launchersOf(agents, reviewer);
  if (launchers.some(({ id, agent }) => id === reviewed || agent?.parentAgentId === reviewed)) {
    return 'REVIEW_NOT_COUNTING_LAUNCHED_BY_ITSELF';
  }
  if (launchers.some(({ agent }) => agent === undefined || agent.standing === 'gone')) {
    return 'REVIEW_NOT_COUNTING_LAUNCHER_GONE';
  }
  const isAllowed = launchers.every(({ agent }) => agent?.role === 'AGENT_ROLE_ORCHESTRATOR');
  return isAllowed ? undefined : 'REVIEW_NOT_COUNTING_LAUNCHED_BY_AGENT';
}

interface Launcher {
  readonly id: string;
  /** Undefined if it is no longer stored. */
  readonly agent: StoredAgent | undefined;
}

/** The agents that launched an agent, directly or not, nearest first; none if a person or a schedule launched it. */
async function launchersOf(agents: AgentTable, { spawnedByAgentId }: StoredAgent): Promise<Launcher[]> {
  if (spawnedByAgentId == null) return [];
  const agent = await agents.find(spawnedByAgentId);
  return [{ id: spawnedByAgentId, agent }, ...(agent === undefined ? [] : await launchersOf(agents, agent))];
}

/** Whether an agent's harness is a coding agent. The agent's host reports that for harnesses that are not built in. */
async function isCodingAgent(
  { hosts }: ReadTables,
  harnesses: Harnesses,
  { launch, host }: StoredAgent,
): Promise<boolean> {
  const builtIn = harnesses.find(launch.harness);
  if (builtIn !== undefined) return builtIn.codingAgent === true;
  return (await hosts.find(host))?.codingHarnesses.includes(launch.harness) ?? false;
}
