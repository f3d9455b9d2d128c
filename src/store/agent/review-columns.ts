import type { StoredAgent } from './agent-entity.ts';

/** The result of reviews of an agent's work, as its row shows it. */
export type ReviewColumns = Pick<
  StoredAgent,
  | 'treeStanding'
  | 'treeStandingSha'
  | 'movedSinceRound'
  | 'localReviewRounds'
  | 'unreadThreads'
  | 'localReviewVerdict'
  | 'localReviewTree'
  | 'localReviewConclusion'
  | 'uncountedReviewConclusion'
>;
