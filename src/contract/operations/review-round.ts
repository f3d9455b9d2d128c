import { z } from 'zod';
import { message } from '../message.ts';
import { operation } from '../operation.ts';
import { Pagination } from '../page.ts';
import { ReviewFile, ReviewRound } from '../review-round.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;
const bothSides = ['implementer', 'reviewer'] as const;

/** How much of a diff one answer holds, in bytes of patch. */
export const diffBytes = { least: 1_024, usual: 49_152, most: 2_097_152 } as const;

export const startReviewRound = operation({
  ...service,
  method: 'StartReviewRound',
  summary: 'Snapshots the work for review, uncommitted files too, and calls its reviewers.',
  guidance: 'If nothing moved it gives the newest.',
  request: message('agent.v1.StartReviewRoundRequest', {
    agentId: [1, z.string()],
    /** A branch, tag or commit that the work is compared with. Blank means the base branch of the agent's workflow. */
    base: [2, z.string()],
  }),
  response: message('agent.v1.StartReviewRoundResponse', { round: [1, ReviewRound] }),
  access: 'write',
  idempotent: true,
  roles: bothSides,
});

export const listReviewRounds = operation({
  ...service,
  method: 'ListReviewRounds',
  summary: 'Lists review rounds.',
  guidance: 'The newest comes first.',
  request: message('agent.v1.ListReviewRoundsRequest', { agentId: [1, z.string()], pagination: [2, Pagination] }),
  response: message('agent.v1.ListReviewRoundsResponse', {
    rounds: [1, z.array(ReviewRound)],
    nextPageToken: [2, z.string()],
  }),
  access: 'read',
  idempotent: true,
  roles: bothSides,
});

export const getReviewDiff = operation({
  ...service,
  method: 'GetReviewDiff',
  summary: 'Shows a round’s diff (blank: the newest) against its base, or an earlier round.',
  guidance: 'Pass cursor back until it is unset. The round is kept as the one that you read last.',
  request: message('agent.v1.GetReviewDiffRequest', {
    agentId: [1, z.string()],
    roundId: [2, z.string()],
    /** An earlier round, whose snapshot is compared with instead of the base. */
    sinceRoundId: [3, z.string()],
    /** One file alone. */
    filePath: [4, z.string()],
    cursor: [5, z.string()],
    /** Bytes of patch in one answer. */
    pageBytes: [6, z.int32()],
    /** Lines shown around each change. */
    context: [7, z.int32()],
  }),
  response: message('agent.v1.GetReviewDiffResponse', {
    round: [1, ReviewRound],
    /** The commits to name as baseSha and snapshotSha where a comment is pinned to a line of this diff. */
    baseSha: [2, z.string()],
    snapshotSha: [3, z.string()],
    files: [4, z.array(ReviewFile)],
    cursor: [5, z.string()],
    /** Of the whole diff, or of the one file. */
    totalFiles: [6, z.int32()],
  }),
  // Which round a reader looked at is kept: a comment without snapshotSha is on that one.
  access: 'write',
  private: true,
  idempotent: true,
  roles: bothSides,
});
