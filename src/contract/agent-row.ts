import { z } from 'zod';
import { Agent } from './agent.ts';
import { message } from './message.ts';
import { PullRequest, PullRequestStanding } from './pull-request.ts';
import { ReviewConclusion } from './review.ts';
import { ReviewTreeStanding, ReviewVerdict } from './review-thread.ts';

/** One line of the list of agents: the agent and what waits around it. */
export const AgentRow = message('agent.v1.AgentRow', {
  agent: [1, Agent],
  mark: [2, z.string()],
  unreadMail: [3, z.boolean()],
  pullRequest: [4, PullRequestStanding],
  pullRequests: [5, z.array(PullRequest)],
  localReviewRounds: [6, z.int32()],
  /**
   * The newest verdict that counts: of a person, or of a coding agent that a person, a schedule or an orchestrator launched to
   * review. That of a reviewer which the agent launched itself never does.
   */
  localReviewVerdict: [7, ReviewVerdict],
  /** Where the worktree stands against the round that `localReviewVerdict` was given on. */
  localReviewTree: [8, ReviewTreeStanding],
  /** How much mail waits. */
  unreadMailCount: [9, z.int32()],
  /** Since when a doorbell waits to be claimed, and when it was rung. Unset where none does. */
  doorbellRaisedAt: [10, z.string()],
  doorbellRungAt: [11, z.string()],
  /** Whether the schedule that launched it keeps its agents out of listings for people. */
  hidden: [12, z.boolean()],
  /** How many threads of reviews of its work hold an answer that no person has read. */
  unreadReviewThreads: [13, z.int32()],
  /**
   * The repository that its checkout pushes to, where its forge is connected and no person has confirmed it for the agent's
   * workflow: nothing of it is read or shown until confirm_repository.
   */
  unconfirmedRepositoryUrl: [16, z.string()],
  /** Who concluded `localReviewVerdict`, and who launched that reviewer. */
  localReviewConclusion: [17, ReviewConclusion],
  /** A verdict that was released after it and does not count, and why. Unset where the newest one counts. */
  uncountedReviewConclusion: [18, ReviewConclusion],
});
export type AgentRow = z.infer<typeof AgentRow>;
