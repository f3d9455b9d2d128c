import {
  type Review,
  ReviewAuthorKind,
  type ReviewConclusion,
  ReviewLauncherKind,
  ReviewNotCounting,
} from '#page/client/agent/v1/agent_pb.js';

const reasons: Readonly<Record<ReviewNotCounting, string>> = {
  [ReviewNotCounting.UNSPECIFIED]: '',
  [ReviewNotCounting.LAUNCHED_BY_ITSELF]: 'launched by the agent itself',
  [ReviewNotCounting.LAUNCHED_BY_AGENT]: 'launched by an agent that is not an orchestrator',
  [ReviewNotCounting.LAUNCHER_GONE]: 'its launcher is no longer known',
  [ReviewNotCounting.NO_CODING_AGENT]: 'its harness is not a coding agent',
};

/**
 * Who launched a reviewer, and whether its verdict counts, such as `does not count: launched by the agent itself`;
 * empty for a person.
 */
export function launchWords({ launcher, notCounting }: Pick<Review, 'launcher' | 'notCounting'>): string {
  if (notCounting !== ReviewNotCounting.UNSPECIFIED)
    return `does not count: ${reasons[notCounting] ?? 'for an unknown reason'}`;
  if (launcher === undefined) return '';
  if (launcher.kind === ReviewLauncherKind.HUMAN) return 'launched by a person';
  if (launcher.kind === ReviewLauncherKind.SCHEDULE) return 'launched by a schedule';
  return `launched by ${launcher.name || launcher.agentId}`;
}

/** The author of a verdict, and whether it counts, such as `by checker, launched by a person`. */
export function conclusionWords(conclusion: ReviewConclusion): string {
  const { authorKind, authorName, authorAgentId } = conclusion;
  const who = authorKind === ReviewAuthorKind.HUMAN ? 'a person' : authorName || authorAgentId;
  return [`by ${who}`, launchWords(conclusion)].filter(Boolean).join(', ');
}
