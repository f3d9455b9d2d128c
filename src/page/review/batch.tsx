import { useState } from 'react';
import { agents } from '#page/api/clients.ts';
import {
  type Review,
  ReviewAuthorKind,
  ReviewNotCounting,
  ReviewState,
  ReviewVerdict,
} from '#page/client/agent/v1/agent_pb.js';
import { Confirm } from '#page/dialog/confirm.tsx';
import { useFleet } from '#page/fleet/fleet.ts';
import { launchWords } from '#page/parts/conclusion.ts';
import { Elapsed } from '#page/parts/elapsed.tsx';
import type { ReviewAct } from './data.ts';

const verdicts: Readonly<Record<ReviewVerdict, readonly [word: string, tone: string]>> = {
  [ReviewVerdict.UNSPECIFIED]: ['', 'plain'],
  [ReviewVerdict.APPROVED]: ['approved', 'good'],
  [ReviewVerdict.CHANGES_REQUESTED]: ['requested changes', 'bad'],
  [ReviewVerdict.COMMENTED]: ['commented', 'plain'],
};

interface BatchProps {
  readonly agentId: string;
  readonly batch: Review | undefined;
  readonly reviews: readonly Review[];
  readonly act: ReviewAct;
}

/** The person's unreleased comments, and the released reviews, newest first. */
export function Batch({ agentId, batch, reviews, act }: BatchProps) {
  const { rows } = useFleet();
  const [isAsking, setAsking] = useState(false);
  const discard = (): void => {
    setAsking(false);
    act.mutate(() => agents.discardReview({ agentId }));
  };
  const released = reviews
    .filter(({ state }) => state === ReviewState.RELEASED)
    .toSorted((one, other) => other.releasedAt.localeCompare(one.releasedAt));
  const nameOf = ({ authorKind, authorAgentId }: Review): string =>
    authorKind === ReviewAuthorKind.HUMAN ? 'You' : (rows.get(authorAgentId)?.agent?.name ?? 'An agent');
  return (
    <>
      {batch !== undefined && batch.comments > 0 && (
        <section className="batch" aria-label="Your comments">
          <p>
            <b>{batch.comments === 1 ? 'One comment' : `${batch.comments} comments`} not released</b>{' '}
            <span className="muted">only you see them</span>
          </p>
          <button type="button" className="button danger" disabled={act.isPending} onClick={() => setAsking(true)}>
            Discard
          </button>
          {isAsking && (
            <Confirm
              question="Discard your comments?"
              what="All your unreleased comments are deleted."
              yes="Discard"
              onYes={discard}
              onClose={() => setAsking(false)}
            />
          )}
        </section>
      )}
      {released.length > 0 && (
        <section className="released" aria-label="Reviews">
          {released.map((review) => {
            const [word, given] = verdicts[review.verdict] ?? verdicts[ReviewVerdict.UNSPECIFIED];
            const tone = review.notCounting === ReviewNotCounting.UNSPECIFIED ? given : 'plain';
            const launch = launchWords(review);
            return (
              <p key={review.id}>
                <b>{nameOf(review)}</b>{' '}
                <span className="sign" data-tone={tone}>
                  {word}
                </span>{' '}
                <span className="muted">
                  round {review.roundOrdinal}, <Elapsed since={review.releasedAt} /> ago
                  {launch !== '' && `, ${launch}`}
                </span>
                {review.summary !== '' && <span className="review-summary">{review.summary}</span>}
              </p>
            );
          })}
        </section>
      )}
    </>
  );
}
