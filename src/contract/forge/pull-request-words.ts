import type { PullRequestState } from './pull-request.ts';

const words = {
  PULL_REQUEST_STATE_OPEN: 'open',
  PULL_REQUEST_STATE_APPROVED: 'approved',
  PULL_REQUEST_STATE_APPROVED_WAITING: 'approved waiting',
  PULL_REQUEST_STATE_CHANGES_REQUESTED: 'changes requested',
  PULL_REQUEST_STATE_DRAFT: 'draft',
  PULL_REQUEST_STATE_MERGED: 'merged',
  PULL_REQUEST_STATE_CLOSED: 'closed',
  PULL_REQUEST_STATE_FAILING: 'failing',
  PULL_REQUEST_STATE_CONFLICTING: 'conflicting',
  PULL_REQUEST_STATE_NONE: 'none',
  PULL_REQUEST_STATE_UNREAD: 'unread',
  PULL_REQUEST_STATE_UNSPECIFIED: 'unknown',
} as const satisfies Readonly<Record<PullRequestState, string>>;
const wordByState: ReadonlyMap<string, string> = new Map(Object.entries(words));

/** A pull request’s state in words; `unknown` if only a newer service knows it. */
export function pullRequestWord(state: string): string {
  return wordByState.get(state) ?? words.PULL_REQUEST_STATE_UNSPECIFIED;
}
