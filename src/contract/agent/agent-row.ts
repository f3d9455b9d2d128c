import { z } from 'zod';
import { PullRequest, PullRequestStanding } from '#contract/forge/pull-request.ts';
import { message } from '#contract/message.ts';
import { ReviewConclusion } from '#contract/review/review.ts';
import { ReviewTreeStanding, ReviewVerdict } from '#contract/review/review-thread.ts';
import { Agent } from './agent.ts';

/** One row of the list of agents: the agent, and its mail, reviews and pull requests. */
export const AgentRow = message('agent.v1.AgentRow', {
  agent: [1, Agent, 'The agent itself.'],
  mark: [2, z.string(), 'The letter, a to z, by which a person finds it. Empty if it has none.'],
  unreadMail: [3, z.boolean(), 'Whether it has mail that it has not taken.'],
  pullRequest: [
    4,
    PullRequestStanding,
    'The state of its branch’s pull request. Unset if its checkout pushes to no confirmed repository.',
  ],
  pullRequests: [5, z.array(PullRequest), 'All pull requests from its branch, the current one first.'],
  localReviewRounds: [6, z.int32(), 'How many rounds of review its work has had.'],
  localReviewVerdict: [
    7,
    ReviewVerdict,
    'The newest verdict that counts: of a person, or of a coding agent launched to review by a person, a schedule or an orchestrator.',
  ],
  localReviewTree: [
    8,
    ReviewTreeStanding,
    'How its worktree compares with the round that `localReviewVerdict` is about.',
  ],
  unreadMailCount: [9, z.int32(), 'How many mails it has not taken.'],
  doorbellRaisedAt: [10, z.string(), 'Since when it has an unclaimed doorbell: RFC 3339, UTC. Unset without one.'],
  doorbellRungAt: [11, z.string(), 'When that doorbell rang: RFC 3339, UTC. Unset until then.'],
  account: [30, z.string(), 'The account that its CLI uses, as its profile names it. Unset without one.'],
  hidden: [12, z.boolean(), 'Whether people’s lists omit it, as its schedule demands.'],
  unreadReviewThreads: [13, z.int32(), 'How many review threads of its work have an answer that no person has read.'],
  unconfirmedRepositoryUrl: [
    16,
    z.string(),
    'The repository it pushes to, while that awaits confirm_repository and is not read. Unset otherwise.',
  ],
  localReviewConclusion: [17, ReviewConclusion, 'Who gave `localReviewVerdict`, and who launched that reviewer.'],
  uncountedReviewConclusion: [
    18,
    ReviewConclusion,
    'A newer verdict that does not count, and why. Unset if the newest one counts.',
  ],
});
export type AgentRow = z.infer<typeof AgentRow>;
