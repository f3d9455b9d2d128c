import { Isolation, NetworkAccess, NoticeKind } from '#page/client/shared/v1/shared_pb.js';
import { OnBoot, OnUsageLimit, PullRequestMatter } from '#page/client/workflow/v1/workflow_pb.js';
import type { Worktrees } from './draft.ts';

export const worktreeWords: readonly (readonly [worktrees: Worktrees, word: string])[] = [
  ['', 'each in a worktree, if the directory is in a repository'],
  ['yes', 'a worktree each'],
  ['no', 'in the directory itself'],
];

export const isolationWords: readonly (readonly [isolation: Isolation, word: string])[] = [
  [Isolation.UNSPECIFIED, 'not isolated'],
  [Isolation.SANDBOX, 'in a sandbox'],
  [Isolation.CONTAINER, 'in a container'],
];

/** The choices for a new workflow, of which the first is what it gets if nothing is chosen. */
export function isolationChoices(byDefault: Isolation): typeof isolationWords {
  if (byDefault !== Isolation.SANDBOX) return isolationWords;
  const others = isolationWords.filter(([one]) => one === Isolation.CONTAINER);
  return [
    [Isolation.UNSPECIFIED, 'in a sandbox, if one works there'],
    [Isolation.SANDBOX, 'always in a sandbox'],
    [Isolation.NONE, 'not isolated'],
    ...others,
  ];
}

export const networkWords: readonly (readonly [network: NetworkAccess, word: string])[] = [
  [NetworkAccess.UNSPECIFIED, 'its models, and what is named here'],
  [NetworkAccess.OPEN, 'all that its host reaches'],
  [NetworkAccess.NONE, 'muster alone'],
];

export const matterWords: readonly (readonly [matter: PullRequestMatter, word: string])[] = [
  [PullRequestMatter.FAILING_CHECKS, 'failing checks'],
  [PullRequestMatter.REQUESTED_CHANGES, 'requested changes'],
  [PullRequestMatter.CONFLICT, 'a conflict with its base'],
];

export const noticeWords: readonly (readonly [kind: NoticeKind, word: string])[] = [
  [NoticeKind.WAITING, 'begins to wait for you'],
  [NoticeKind.FAILED, 'fails'],
  [NoticeKind.FINISHED, 'finishes a turn'],
  [NoticeKind.ENDED, 'ends'],
  [NoticeKind.BUDGET, 'or a budget is used up'],
  [NoticeKind.ACCOUNT_LIMITED, 'is parked with its account'],
];

export const bootWords: readonly (readonly [onBoot: OnBoot, word: string])[] = [
  [OnBoot.UNSPECIFIED, 'leave them to me'],
  [OnBoot.RESTORE, 'restore them'],
];

export const limitWords: readonly (readonly [onLimit: OnUsageLimit, word: string])[] = [
  [OnUsageLimit.UNSPECIFIED, 'park them until it ends'],
  [OnUsageLimit.RESUME, 'park them, then ask them to continue'],
  [OnUsageLimit.STAY, 'leave them to me'],
];

/** The texts of the chosen values, in the order of `all`. */
export function wordsOf<One>(all: readonly (readonly [one: One, word: string])[], chosen: readonly One[]): string {
  return all
    .filter(([one]) => chosen.includes(one))
    .map(([, word]) => word)
    .join(', ');
}
