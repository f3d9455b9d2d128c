import { parseRequest } from '#contract/parse.ts';
import { reviewCalls as calls } from '#contract/wire/review-calls.ts';
import type { ReviewDesk } from './review-desk.ts';

/** What the desk answers, by the verb that it is asked with. */
export function reviewAnswers(desk: ReviewDesk): Readonly<Record<string, (body: unknown) => Promise<unknown>>> {
  return {
    [calls.cutRound.verb]: (body) => desk.cutRound(parseRequest(calls.cutRound.request, body)),
    [calls.dropRounds.verb]: (body) => desk.dropRounds(parseRequest(calls.dropRounds.request, body)),
    [calls.treeOf.verb]: (body) => desk.treeOf(parseRequest(calls.treeOf.request, body)),
    [calls.reviewDiff.verb]: (body) => desk.reviewDiff(parseRequest(calls.reviewDiff.request, body)),
  };
}
