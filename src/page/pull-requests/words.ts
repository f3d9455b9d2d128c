import { pullRequestWord } from '#contract/forge/pull-request-words.ts';
import { enumName } from '#page/api/enum-name.ts';
import {
  Checks,
  ForgeKind,
  Mergeability,
  type PullRequest,
  PullRequestState,
  PullRequestStateSchema,
  RepositoryState,
  ReviewDecision,
} from '#page/client/forge/v1/forge_pb.js';
import type { Tone } from '#page/parts/tone.ts';

interface StateTag {
  readonly word: string;
  readonly tone: Tone;
}

const tones: Readonly<Partial<Record<PullRequestState, Tone>>> = {
  [PullRequestState.APPROVED]: 'good',
  [PullRequestState.APPROVED_WAITING]: 'wants',
  [PullRequestState.CHANGES_REQUESTED]: 'bad',
  [PullRequestState.MERGED]: 'odd',
  [PullRequestState.FAILING]: 'bad',
  [PullRequestState.CONFLICTING]: 'bad',
};

/** The tag for a pull request's state, which the service decides. */
export function stateTag(state: PullRequestState): StateTag {
  return { word: pullRequestWord(enumName(PullRequestStateSchema, state)), tone: tones[state] ?? 'plain' };
}

const checks: Readonly<Partial<Record<Checks, string>>> = {
  [Checks.NONE]: 'no checks',
  [Checks.PENDING]: 'checks are running',
  [Checks.PASSING]: 'checks pass',
  [Checks.FAILING]: 'checks fail',
};
const reviews: Readonly<Partial<Record<ReviewDecision, string>>> = {
  [ReviewDecision.PENDING]: 'waits for a review',
  [ReviewDecision.APPROVED]: 'reviewed and approved',
  [ReviewDecision.CHANGES_REQUESTED]: 'a review requests changes',
};
const merges: Readonly<Partial<Record<Mergeability, string>>> = {
  [Mergeability.CLEAN]: 'can be merged',
  [Mergeability.UNSTABLE]: 'can be merged, but some checks fail',
  [Mergeability.BLOCKED]: 'blocked by the rules of its branch',
  [Mergeability.BEHIND]: 'behind its base',
  [Mergeability.CONFLICTING]: 'conflicts with its base',
};

/** The reasons for a pull request's state: its checks, its reviews and its mergeability. */
export function reasonsOf(pull: PullRequest): readonly string[] {
  if (pull.mergedAt !== '' || pull.closedAt !== '') return [];
  const reasons = [
    checks[pull.checks],
    reviews[pull.reviewDecision],
    merges[pull.mergeability],
    pull.inMergeQueue ? 'in the merge queue' : undefined,
  ];
  return reasons.flatMap((reason) => reason ?? []);
}

/** The kinds of forge that can be connected. */
export const kindWords: readonly (readonly [ForgeKind, string])[] = [
  [ForgeKind.GITHUB, 'GitHub'],
  [ForgeKind.GITLAB, 'GitLab'],
  [ForgeKind.GITEA, 'Gitea or Forgejo'],
  [ForgeKind.BITBUCKET, 'Bitbucket'],
];

/** The name of a kind of forge. */
export function kindWord(kind: ForgeKind): string {
  return kindWords.find(([one]) => one === kind)?.[1] ?? 'unknown';
}

/** When a repository is read next, as text. */
export const readingWords: Readonly<Record<RepositoryState, string>> = {
  [RepositoryState.UNSPECIFIED]: '',
  [RepositoryState.DUE]: 'is about to be read',
  [RepositoryState.SWEEPING]: 'is being read',
  [RepositoryState.RESTING]: 'was read',
  [RepositoryState.BACKING_OFF]: 'waits, because its forge limits requests',
  [RepositoryState.DORMANT]: 'is not read: no agent pushes to it',
};
