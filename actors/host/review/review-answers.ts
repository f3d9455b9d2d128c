import { parseRequest } from '#contract/parse/parse.ts';
import { reviewCalls as calls } from '#contract/wire/review-calls.ts';
import type { ReviewRequests } from './review-requests.ts';

/** The handlers of requests about reviews, by verb. */
export function reviewAnswers(reviews: ReviewRequests): Readonly<Record<string, (body: unknown) => Promise<unknown>>> {
  return {
    [calls.cutRound.verb]: (body) => reviews.cutRound(parseRequest(calls.cutRound.request, body)),
    [calls.dropRounds.verb]: (body) => reviews.dropRounds(parseRequest(calls.dropRounds.request, body)),
    [calls.treeOf.verb]: (body) => reviews.treeOf(parseRequest(calls.treeOf.request, body)),
    [calls.reviewDiff.verb]: (body) => reviews.reviewDiff(parseRequest(calls.reviewDiff.request, body)),
    [calls.fileLines.verb]: (body) => reviews.fileLines(parseRequest(calls.fileLines.request, body)),
    [calls.anchorThread.verb]: (body) => reviews.anchorThread(parseRequest(calls.anchorThread.request, body)),
    [calls.carryThreads.verb]: (body) => reviews.carryThreads(parseRequest(calls.carryThreads.request, body)),
    [calls.standing.verb]: (body) => reviews.standing(parseRequest(calls.standing.request, body)),
    [calls.applySuggestion.verb]: (body) => reviews.applySuggestion(parseRequest(calls.applySuggestion.request, body)),
  };
}
