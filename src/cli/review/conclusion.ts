import type { Review, ReviewConclusion, ReviewNotCounting } from '#contract/review/review.ts';

const reasons: Readonly<Record<ReviewNotCounting, string>> = {
  REVIEW_NOT_COUNTING_UNSPECIFIED: 'for a reason that this version of muster does not know',
  REVIEW_NOT_COUNTING_LAUNCHED_BY_ITSELF: 'launched by the agent itself',
  REVIEW_NOT_COUNTING_LAUNCHED_BY_AGENT: 'launched by an agent that is not an orchestrator',
  REVIEW_NOT_COUNTING_LAUNCHER_GONE: 'its launcher is no longer known',
  REVIEW_NOT_COUNTING_NO_CODING_AGENT: 'its harness is not a coding agent',
};

/** `changes requested` */
export function verdictWord(verdict = ''): string {
  return verdict.replace('REVIEW_VERDICT_', '').toLowerCase().replaceAll('_', ' ');
}

/**
 * Why a verdict does not count, such as `does not count: launched by the agent itself`, else who launched the reviewer.
 */
export function launchText({ launcher, notCounting }: Pick<Review, 'launcher' | 'notCounting'>): string {
  if (notCounting !== undefined) return `does not count: ${reasons[notCounting] ?? notCounting}`;
  if (launcher?.kind === 'REVIEW_LAUNCHER_KIND_HUMAN') return 'launched by a person';
  if (launcher?.kind === 'REVIEW_LAUNCHER_KIND_SCHEDULE') return `launched by schedule ${launcher.scheduleId}`;
  return launcher === undefined ? '' : `launched by ${launcher.name ?? launcher.agentId}`;
}

/** `approved by checker, launched by a person` */
export function conclusionText(conclusion: ReviewConclusion): string {
  const { verdict, authorKind, authorName, authorAgentId } = conclusion;
  const who = authorKind === 'REVIEW_AUTHOR_KIND_HUMAN' ? 'a person' : (authorName ?? authorAgentId ?? 'an agent');
  return [`${verdictWord(verdict)} by ${who}`, launchText(conclusion)].filter(Boolean).join(', ');
}
