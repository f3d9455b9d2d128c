import { z } from 'zod';
import { reviewedAgentId } from '#contract/agent/agent.ts';
import { message } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextPageToken, paging } from '#contract/page.ts';
import { ReviewFile, ReviewRound } from '#contract/review/review-round.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;
const bothSides = ['implementer', 'reviewer'] as const;

/** How much of a diff one answer contains, in bytes of patch. */
export const diffBytes = { min: 1_024, default: 49_152, max: 2_097_152 } as const;

export const startReviewRound = operation({
  ...service,
  method: 'StartReviewRound',
  summary: 'Snapshots the work for review, with uncommitted files, and rings its reviewers.',
  guidance:
    'If nothing changed, it returns the newest round. failed_precondition if the work does not differ from its base.',
  request: message('agent.v1.StartReviewRoundRequest', {
    agentId: [1, ...reviewedAgentId],
    base: [2, z.string(), 'Branch, tag or commit to compare the work with. Unset: the workflow’s base branch.'],
  }),
  response: message('agent.v1.StartReviewRoundResponse', {
    round: [1, ReviewRound, 'The new round, or the newest one if nothing changed.'],
  }),
  access: 'write',
  idempotent: true,
  roles: bothSides,
});

export const listReviewRounds = operation({
  ...service,
  method: 'ListReviewRounds',
  summary: 'Lists snapshots made for review.',
  guidance: 'Newest first.',
  request: message('agent.v1.ListReviewRoundsRequest', {
    agentId: [1, ...reviewedAgentId],
    pagination: [2, ...paging],
  }),
  response: message('agent.v1.ListReviewRoundsResponse', {
    rounds: [1, z.array(ReviewRound), 'One page, newest first.'],
    nextPageToken: [2, ...nextPageToken],
  }),
  access: 'read',
  idempotent: true,
  roles: bothSides,
});

export const getReviewDiff = operation({
  ...service,
  method: 'GetReviewDiff',
  summary: 'Shows a round’s diff (default: the newest) against its base or an earlier round.',
  guidance: 'Pass cursor back until it is unset. Comments without snapshotSha are on the round you read last.',
  request: message('agent.v1.GetReviewDiffRequest', {
    agentId: [1, ...reviewedAgentId],
    roundId: [2, z.string(), 'The round to show. Unset: the newest.'],
    sinceRoundId: [3, z.string(), 'An earlier round to compare with. Unset: the base.'],
    filePath: [4, z.string(), 'Only this file, by its path in the checkout.'],
    cursor: [5, z.string(), 'cursor of the last answer, for the next part.'],
    pageBytes: [6, z.int32(), 'Bytes of patch per answer, 1,024 to 2,097,152. Unset: 49,152.'],
    context: [7, z.int32(), 'Unchanged lines around each change. Unset: 3.'],
  }),
  response: message('agent.v1.GetReviewDiffResponse', {
    round: [1, ReviewRound, 'The round that the diff shows.'],
    baseSha: [2, z.string(), 'The commit of the old side: pass it as baseSha when you comment on this diff.'],
    snapshotSha: [3, z.string(), 'The commit of the new side: pass it as snapshotSha when you comment on this diff.'],
    files: [4, z.array(ReviewFile), 'This part of the diff, file by file.'],
    cursor: [5, z.string(), 'Pass it back as cursor for the next part. Unset on the last one.'],
    totalFiles: [6, z.int32(), 'How many files the whole diff has, or 1 if one file was requested.'],
  }),
  // It stores which round was read: a comment without snapshotSha is on that one.
  access: 'write',
  private: true,
  idempotent: true,
  roles: bothSides,
});
