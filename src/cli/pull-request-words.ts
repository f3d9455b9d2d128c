import type { PullRequestStanding, PullRequestState } from '#contract/pull-request.ts';
import type { Style } from './color.ts';
import { shortName } from './words.ts';

/** `#12 failing`; empty where no pull request is known. */
export function standingText(standing: Pick<PullRequestStanding, 'number' | 'state'> | undefined): string {
  const { number, state } = standing ?? {};
  return number === undefined || state === undefined ? '' : `#${number} ${shortName(state)}`;
}

const styles: Readonly<Partial<Record<PullRequestState, Style>>> = {
  PULL_REQUEST_STATE_FAILING: 'red',
  PULL_REQUEST_STATE_CONFLICTING: 'red',
  PULL_REQUEST_STATE_CHANGES_REQUESTED: 'yellow',
  PULL_REQUEST_STATE_APPROVED: 'green',
  PULL_REQUEST_STATE_MERGED: 'dim',
  PULL_REQUEST_STATE_CLOSED: 'dim',
};

/** How a state is coloured; undefined where it is not. */
export function standingStyle(state: PullRequestState | undefined): Style | undefined {
  return state && styles[state];
}
