import { z } from 'zod';
import { AgentState } from './agent-state.ts';
import { enumeration, message } from './message.ts';
import { ReviewTreeStanding } from './review-thread.ts';

/** What an agent was launched to do. */
export const AgentRole = enumeration('agent.v1.AgentRole', [
  'AGENT_ROLE_UNSPECIFIED',
  'AGENT_ROLE_IMPLEMENTER',
  'AGENT_ROLE_REVIEWER',
  'AGENT_ROLE_ORCHESTRATOR',
]);
export type AgentRole = z.infer<typeof AgentRole>;

/** A fact that an agent recorded about its own work. */
export const AgentMetadata = message('agent.v1.AgentMetadata', {
  key: [1, z.string()],
  value: [2, z.string()],
  recordedAt: [3, z.string()],
});

/** One agent, live or dormant. Timestamps are RFC 3339 in UTC. */
export const Agent = message('agent.v1.Agent', {
  id: [1, z.string()],
  name: [2, z.string()],
  cwd: [3, z.string()],
  flags: [4, z.string()],
  prompt: [5, z.string()],
  paneId: [6, z.string()],
  state: [7, AgentState],
  sessionId: [8, z.string()],
  harness: [9, z.string()],
  workflowId: [10, z.string()],
  createdAt: [11, z.string()],
  archivedAt: [12, z.string()],
  scheduleId: [13, z.string()],
  alive: [14, z.boolean()],
  metadata: [15, z.array(AgentMetadata)],
  idempotencyKey: [16, z.string()],
  spawnedByAgentId: [17, z.string()],
  parentAgentId: [18, z.string()],
  branch: [19, z.string()],
  repositoryUrl: [20, z.string()],
  headSha: [21, z.string()],
  worktreeRemoved: [22, z.boolean()],
  sequenceInProgress: [23, z.boolean()],
  failedRun: [24, z.boolean()],
  failedRunLog: [25, z.int32()],
  stateChangedAt: [26, z.string()],
  reportedReason: [27, z.string()],
  role: [28, AgentRole],
  promptTruncated: [29, z.boolean()],
  treeStanding: [30, ReviewTreeStanding],
  treeStandingSha: [31, z.string()],
  movedSinceRound: [32, z.string()],
  heldAt: [33, z.string()],
  /** Why the agent failed to be created or cleaned up, or what the pane shows beyond its state. */
  stateReason: [34, z.string()],
  /** The host that the agent is placed on. */
  hostId: [35, z.string()],
  /** What its screen asks a person, on one line of at most 200 characters. Empty unless it waits. */
  waitingFor: [36, z.string()],
  /**
   * When its host was last heard of, while that is lost: the state and all else that is seen of its pane are as they were then, and
   * `alive` is unset, for nobody knows. Unset while the host is there, and where no pane was left.
   */
  lastKnownAt: [37, z.string()],
});
export type Agent = z.infer<typeof Agent>;
