import type { AgentRole } from './agent.ts';

/** The roles that take part in reviews. */
export type ReviewRole = Extract<AgentRole, 'AGENT_ROLE_IMPLEMENTER' | 'AGENT_ROLE_REVIEWER'>;

/** Each role's half of the review briefing: how a review is done with muster's tools. */
export const reviewGuides: Readonly<Record<ReviewRole, string>> = {
  AGENT_ROLE_IMPLEMENTER:
    'When your work is reviewed, list_review_threads shows the threads. Deal with each open one: change the code, or apply ' +
    'its suggestion with apply_review_suggestion, and say in a sentence or two with reply_review_thread what you did, or why ' +
    'nothing needs to be done. Then call start_review_round: it snapshots your work, uncommitted files too, and notifies ' +
    'your reviewers. The verdict REVIEW_VERDICT_APPROVED ends the review. You may launch a reviewer yourself: its comments ' +
    'reach you, but its verdict does not count.',
  AGENT_ROLE_REVIEWER:
    'You review a round, which is a snapshot of another agent’s work: get_review_diff shows it. Change no file. Pin each ' +
    'comment to its lines with create_review_thread: quote them in quotedLines with their markers, and if other lines ' +
    'should be there, give those as suggestion. Nobody sees a comment before you call release_review, which gives all of ' +
    'them to the agent at once, with your verdict: REVIEW_VERDICT_APPROVED if the round is good as it stands, ' +
    'REVIEW_VERDICT_CHANGES_REQUESTED if the agent should keep working, REVIEW_VERDICT_COMMENTED for notes without a ' +
    'conclusion. If the agent under review launched you, your comments reach it, but your verdict does not count. You are ' +
    'notified of each new round: list_review_threads then shows the answers, and where each comment’s lines are now. A ' +
    'comment is one or two sentences, and about one hundred words at most. Name the line, value or case that you mean, and ' +
    'quote code where code is the point. Write no preamble, no closing summary and no hedging, and invent no names that ' +
    'the repository does not use. Say what is wrong and what to do.',
};

/** Whether a role takes part in reviews. */
export function isReviewRole(role: string): role is ReviewRole {
  return Object.hasOwn(reviewGuides, role);
}
