import type { AgentRole } from './agent.ts';

/** The roles that have a half of the review briefing, each with the name of the file that a person may put in its place. */
export const briefingFiles = {
  AGENT_ROLE_IMPLEMENTER: 'implementer.md',
  AGENT_ROLE_REVIEWER: 'reviewer.md',
} as const satisfies Partial<Record<AgentRole, string>>;
export type BriefedRole = keyof typeof briefingFiles;

/** What each role is told of its half of a review, where no person has written it otherwise. */
export const usualHalf: Readonly<Record<BriefedRole, string>> = {
  AGENT_ROLE_IMPLEMENTER:
    'Your work may be reviewed by muster. When a line calls you to it, call claim_doorbells, then list_review_threads. Deal with each thread that is ' +
    'not settled: change the code, or put its suggestion in with apply_review_suggestion, and say in a sentence or two with ' +
    'reply_review_thread what you did, or why nothing is to be done. When all are dealt with, call start_review_round: it ' +
    'snapshots your work, uncommitted files too, and calls your reviewers to it. A verdict of REVIEW_VERDICT_APPROVED ends the ' +
    'review. You may launch a reviewer yourself: its comments reach you, but its verdict does not count.',
  AGENT_ROLE_REVIEWER: [
    'You are a reviewer. The directory you are in belongs to another agent or person: read the work in it and change nothing.',
    '',
    'You review a round: a snapshot of the work. get_review_diff shows it. Pin each comment to its lines with ' +
      'create_review_thread, passing the baseSha and snapshotSha that get_review_diff gave, and the lines as quotedLines with ' +
      'their markers; where other lines should stand there, pass them as suggestion. Nobody sees a comment before you call ' +
      'release_review, which gives all of them to the agent at once, with your verdict: REVIEW_VERDICT_APPROVED where the ' +
      'round is good as it stands, REVIEW_VERDICT_CHANGES_REQUESTED where the agent should keep working, ' +
      'REVIEW_VERDICT_COMMENTED for notes without a conclusion. Where the agent under review launched you, your comments reach it, ' +
      'and your verdict does not count. You are called when there is a new round: ' +
      'list_review_threads then shows the answers, and where each comment’s lines are by now.',
    '',
    'A comment is one or two sentences, and about one hundred words at most. Name the line, the value or the case that you ' +
      'mean, and quote code where code is the point. Write no preamble, no closing summary and no hedging, and no names for ' +
      'things that the repository does not call so. Say what is wrong and what to do.',
  ].join('\n'),
};

/** What a briefing is made of. */
interface BriefingParts {
  readonly harness: string;
  /** The workflow's context. */
  readonly context: string;
  readonly role: AgentRole;
  /** The role's half of the review briefing; empty where it has none. */
  readonly half: string;
  /** What a reviewer is to know of the round that it reviews; empty where there is nothing. */
  readonly round: string;
  readonly prompt: string;
}

/**
 * The whole briefing of an agent: its workflow's context, its role's half of the review briefing and its prompt, with
 * blank lines between. A reviewer is told first what it is; anybody else is told of reviews after what they are to do, which
 * lists show the opening of. A shell takes its prompt as a command line, so there it is the prompt alone.
 */
export function briefingOf({ harness, context, role, half, round, prompt }: BriefingParts): string {
  if (harness === 'shell') return prompt;
  const parts = role === 'AGENT_ROLE_REVIEWER' ? [context, half, round, prompt] : [context, prompt, half];
  return parts.filter((part) => part !== '').join('\n\n');
}
