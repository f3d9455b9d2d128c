import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { PullRequestStanding, PullRequestState } from '#contract/forge/pull-request.ts';
import { pullRequestWord } from '#contract/forge/pull-request-words.ts';
import type { Style } from './color.ts';

/** An agent's pull request for a list, or that its repository is not confirmed; empty if there is neither. */
export function pullRequestCell({ pullRequest, unconfirmedRepositoryUrl }: AgentRow): string {
  return unconfirmedRepositoryUrl === undefined ? standingText(pullRequest) : 'unconfirmed';
}

/** `#12 failing`; empty if no pull request is known. */
export function standingText(standing: Pick<PullRequestStanding, 'number' | 'state'> | undefined): string {
  const { number, state } = standing ?? {};
  return number === undefined || state === undefined ? '' : `#${number} ${pullRequestWord(state)}`;
}

const styles: Readonly<Partial<Record<PullRequestState, Style>>> = {
  PULL_REQUEST_STATE_FAILING: 'red',
  PULL_REQUEST_STATE_CONFLICTING: 'red',
  PULL_REQUEST_STATE_CHANGES_REQUESTED: 'yellow',
  PULL_REQUEST_STATE_APPROVED: 'green',
  PULL_REQUEST_STATE_MERGED: 'dim',
  PULL_REQUEST_STATE_CLOSED: 'dim',
};

/** The colour of a state; undefined if it has none. */
export function standingStyle(state: PullRequestState | undefined): Style | undefined {
  return state && styles[state];
}
