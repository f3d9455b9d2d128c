import { z } from 'zod';
import { hasEnded } from '#actors/registry/agent/agent-standing.ts';
import { change } from '#actors/registry/agent/change.ts';
import { raiseBell } from '#actors/registry/doorbell/doorbells.ts';
import { cursorCodec } from '#actors/registry/kernel/cursor.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { pageLimit } from '#actors/registry/kernel/page-limit.ts';
import { Failure } from '#contract/failure.ts';
import { diffBytes, getReviewDiff, listReviewRounds, startReviewRound } from '#contract/operations/review-round.ts';
import type { ReviewFile } from '#contract/review/review-round.ts';
import { type FileDiff, reviewCalls } from '#contract/wire/review-calls.ts';
import { cutRound } from './cut-round.ts';
import { enumName } from './enum-name.ts';
import { newestRound, roundById } from './find-round.ts';
import { askAgentHost } from './host-of.ts';
import { partyOf, reviewedAgent } from './parties.ts';
import { roundOf } from './resource.ts';
import type { ReviewScope } from './review-scope.ts';

/** Cuts a round of an agent's work. Unless a reviewer requested it, rings the agent's reviewers. */
export const startReviewRoundHandler = handler(
  startReviewRound,
  async ({ agentId, base }, caller, scope: ReviewScope) => {
    const agent = await scope.store.read(({ agents }) => reviewedAgent(agents, caller, agentId));
    const by = partyOf(caller);
    const { round } = await cutRound(scope, agent, { base, by });
    await scope.store.write(({ rounds }) => rounds.read(agent.id, by, round.id));
    if (caller.kind === 'person' || caller.role !== 'reviewer') await ringReviewers(scope, agent.id);
    return { round: roundOf(round) };
  },
);

/** Raises the doorbells of an agent's children that have reviewed it. */
function ringReviewers(scope: ReviewScope, agentId: string): Promise<void> {
  return change(scope, async (writing) => {
    const { agents, reviews } = writing.tables;
    const reviewers = await reviews.releasedBy(agentId);
    for (const child of await agents.childrenOf(agentId)) {
      if (!reviewers.has(child.id) || hasEnded(child)) continue;
      await raiseBell(writing, child.id, { cause: 'DOORBELL_CAUSE_REVIEW', count: 1 }, { known: child });
    }
  });
}

const roundCursors = cursorCodec('review-rounds', { agentId: z.string(), before: z.int() });

/** Lists an agent's rounds, newest first. */
export const listReviewRoundsHandler = handler(listReviewRounds, ({ agentId, pagination }, caller, { store }) => {
  const limit = pageLimit(pagination?.pageSize);
  const at = roundCursors.read(pagination?.cursor);
  return store.read(async ({ agents, rounds }) => {
    const { id } = await reviewedAgent(agents, caller, agentId);
    if (at !== undefined && at.agentId !== id) {
      throw new Failure('INVALID_CURSOR', 'The cursor belongs to a listing with another agentId: start again', {
        field: 'pagination.cursor',
      });
    }
    const found = await rounds.page(id, at?.before, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const more = last !== undefined && found.length > limit;
    return {
      rounds: page.map(roundOf),
      ...(more ? { nextPageToken: roundCursors.write({ agentId: id, before: last.ordinal }) } : {}),
    };
  });
});

const diffCursors = cursorCodec('review-diff', { of: z.string(), roundId: z.string(), at: z.string() });

/** Returns a round's diff from the agent's host, and records that the caller has read this round. */
export const getReviewDiffHandler = handler(getReviewDiff, async (request, caller, scope: ReviewScope) => {
  const { sinceRoundId, filePath, context } = request;
  const pageBytes = checkedBytes(request.pageBytes);
  const at = diffCursors.read(request.cursor);
  const of = JSON.stringify([request.agentId, request.roundId, sinceRoundId, filePath, context]);
  if (at !== undefined && at.of !== of) {
    throw new Failure('INVALID_CURSOR', 'The cursor belongs to another diff: start again without it', {
      field: 'cursor',
    });
  }
  const { agent, round, baseSha } = await scope.store.write(async (tables) => {
    const found = await reviewedAgent(tables.agents, caller, request.agentId);
    const roundId = at?.roundId ?? request.roundId;
    const shown = roundId ? await roundById(tables, found, roundId) : await newestRound(tables, found);
    const since = sinceRoundId ? await roundById(tables, found, sinceRoundId) : undefined;
    if (since !== undefined && since.ordinal >= shown.ordinal) {
      throw new Failure(
        'INVALID_FIELD',
        `sinceRoundId is round ${since.ordinal}, which is not earlier than round ${shown.ordinal}: name an earlier one`,
        { field: 'sinceRoundId' },
      );
    }
    await tables.rounds.read(found.id, partyOf(caller), shown.id);
    return { agent: found, round: shown, baseSha: since?.snapshotSha ?? shown.baseSha };
  });
  const { files, nextCursor, totalFiles } = await askAgentHost(scope, agent, reviewCalls.reviewDiff, {
    agentId: agent.id,
    fromSha: baseSha,
    toSha: round.snapshotSha,
    pageBytes,
    ...(filePath ? { path: filePath } : {}),
    ...(context ? { context } : {}),
    ...(at === undefined ? {} : { cursor: at.at }),
  });
  return {
    round: roundOf(round),
    baseSha,
    snapshotSha: round.snapshotSha,
    files: files.map(fileOf),
    totalFiles,
    ...(nextCursor === undefined ? {} : { cursor: diffCursors.write({ of, roundId: round.id, at: nextCursor }) }),
  };
});

function checkedBytes(asked = 0): number {
  const { min, max } = diffBytes;
  if (asked !== 0 && asked < min) {
    throw new Failure('INVALID_FIELD', `pageBytes is ${asked}: give a number from ${min} to ${max}, or none`, {
      field: 'pageBytes',
    });
  }
  return Math.min(asked || diffBytes.default, max);
}

function fileOf({ change: kind, omitted, oldBytes, newBytes, ...rest }: FileDiff): ReviewFile {
  return {
    ...rest,
    change: enumName('REVIEW_FILE_CHANGE', kind) as ReviewFile['change'],
    omitted: omitted && (enumName('REVIEW_FILE_OMISSION', omitted) as ReviewFile['omitted']),
    oldBytes: oldBytes === undefined ? undefined : String(oldBytes),
    newBytes: newBytes === undefined ? undefined : String(newBytes),
  };
}
