import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { Failure } from '#contract/failure.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredRound } from '#store/review/entities.ts';
import { cutRound } from './cut-round.ts';
import type { ReviewScope } from './review-scope.ts';

/** How long the launch of a reviewer waits for the round, in milliseconds. */
const cutWithin = 10_000;

/** The round that a reviewer is launched to review, or why there is none. */
export type FirstRound = { readonly round: StoredRound } | { readonly why: string };

/** Cuts a round of an agent's work for a reviewer that is launched as its child, unless nothing has changed. */
export async function firstRound(scope: ReviewScope, parent: StoredAgent, by: string): Promise<FirstRound> {
  try {
    return { round: (await cutRound(scope, parent, { by, unasked: true, withinMs: cutWithin })).round };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    scope.log.warn({ agentId: parent.id, why: error.message }, 'a reviewer is launched without a round');
    return { why: error.message };
  }
}

/** The text about the round in the reviewer's briefing. */
export function roundText(parent: StoredAgent, first: FirstRound): string {
  const whose = `You review the work of agent ${describeAgent(parent)}.`;
  if ('why' in first) {
    return `${whose} It could not be snapshotted yet (${first.why}): call start_review_round before you read it.`;
  }
  const { ordinal, changedFiles } = first.round;
  return `${whose} Read round ${ordinal}, with ${changedFiles} ${changedFiles === 1 ? 'file' : 'files'} changed.`;
}
