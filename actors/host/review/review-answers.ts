import { parseRequest } from '#contract/parse/parse.ts';
import { reviewCalls as calls } from '#contract/wire/review-calls.ts';
import type { ReviewDesk } from './review-desk.ts';

/** The desk's handlers, by verb. */
export function reviewAnswers(desk: ReviewDesk): Readonly<Record<string, (body: unknown) => Promise<unknown>>> {
  return {
    [calls.cutRound.verb]: (body) => desk.cutRound(parseRequest(calls.cutRound.request, body)),
    [calls.dropRounds.verb]: (body) => desk.dropRounds(parseRequest(calls.dropRounds.request, body)),
    [calls.treeOf.verb]: (body) => desk.treeOf(parseRequest(calls.treeOf.request, body)),
    [calls.reviewDiff.verb]: (body) => desk.reviewDiff(parseRequest(calls.reviewDiff.request, body)),
    [calls.fileLines.verb]: (body) => desk.fileLines(parseRequest(calls.fileLines.request, body)),
    [calls.anchorThread.verb]: (body) => desk.anchorThread(parseRequest(calls.anchorThread.request, body)),
    [calls.carryThreads.verb]: (body) => desk.carryThreads(parseRequest(calls.carryThreads.request, body)),
    [calls.standing.verb]: (body) => desk.standing(parseRequest(calls.standing.request, body)),
    [calls.applySuggestion.verb]: (body) => desk.applySuggestion(parseRequest(calls.applySuggestion.request, body)),
  };
}
