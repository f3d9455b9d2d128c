import type { z } from 'zod';
import { change } from '#actors/registry/agent/change.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { withSharedMutex } from '#actors/registry/peer/shared-mutex.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { reviewCalls } from '#contract/wire/review-calls.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredRound } from '#store/review/entities.ts';
import { haveAgentHost } from './host-of.ts';
import type { ReviewScope } from './review-scope.ts';

type Snapshot = z.output<typeof reviewCalls.cutRound.response>;

/** How a round is cut. */
export interface Cut {
  /** What to compare the work with. By default the base of the newest round, or else one that the host chooses. */
  readonly base?: string | undefined;
  /** Who cuts it: `person`, or an agent's id. */
  readonly by: string;
  /**
   * Whether it is cut without a request. Then none is cut during a merge or a rebase, nor if the worktree has not
   * changed since the newest round, even if the base has.
   */
  readonly unasked?: boolean;
  /** How long the host may take, in milliseconds. By default enough for a large checkout. */
  readonly withinMs?: number;
}

/** A round, and whether this call cut it. */
export interface CutRound {
  readonly round: StoredRound;
  readonly isNew: boolean;
}

/**
 * Snapshots an agent's work as its next round, or returns the newest round if nothing has changed since. If the agent
 * has undone all of its work since an earlier round, that is also a round. Rounds of one agent are cut one at a time.
 * @throws FAILED_PRECONDITION when there is nothing to review; Failure of the host; UNAVAILABLE when certainly none was
 *   cut; DEADLINE_EXCEEDED when its git reference may have been written
 */
export function cutRound(scope: ReviewScope, agent: StoredAgent, cut: Cut): Promise<CutRound> {
  return withSharedMutex(scope.store, `cut ${agent.id}`, async () => {
    const newest = await scope.store.read(({ rounds }) => rounds.newest(agent.id));
    const ordinal = (newest?.ordinal ?? 0) + 1;
    const roundRef = `refs/muster/rounds/${agent.id}/${ordinal}`;
    const { base, snapshot } = await snapshotOn(scope, agent, roundRef, cut, newest?.base ?? '');
    if (newest !== undefined && isSame(newest, base, snapshot, cut.unasked === true)) {
      await drop(scope, agent, roundRef);
      return { round: newest, isNew: false };
    }
    if (isEmpty(snapshot) && (newest === undefined || newest.treeSha === snapshot.treeSha)) {
      await drop(scope, agent, roundRef);
      throw nothingToReview(agent, base);
    }
    return { round: await write(scope, agent, { ordinal, base, by: cut.by }, snapshot), isNew: true };
  });
}

/**
 * A snapshot, and its base. If the base comes from the newest round and no longer exists, such as a merged branch, the
 * host chooses one, as for a first round.
 */
async function snapshotOn(
  scope: ReviewScope,
  agent: StoredAgent,
  roundRef: string,
  { base: asked = '', unasked, withinMs }: Cut,
  before: string,
): Promise<{ readonly base: string; readonly snapshot: Snapshot }> {
  const on = async (base: string) => {
    const question = { ...(base === '' ? {} : { base }), ...(unasked ? { settled: true } : {}) };
    const request = { agentId: agent.id, roundRef, ...question };
    return { base, snapshot: await haveAgentHost(scope, agent, reviewCalls.cutRound, request, { withinMs }) };
  };
  if (asked !== '' || before === '') return on(asked);
  try {
    return await on(before);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'failed_precondition') throw error;
    return on('');
  }
}

function isSame(newest: StoredRound, base: string, snapshot: Snapshot, treeAlone: boolean): boolean {
  if (newest.treeSha !== snapshot.treeSha) return false;
  return treeAlone || (newest.baseSha === snapshot.baseSha && newest.base === base);
}

function isEmpty({ changedFiles, leftOutCount }: Snapshot): boolean {
  return changedFiles === 0 && leftOutCount === 0;
}

function nothingToReview(agent: StoredAgent, base: string): Failure {
  const than = base === '' ? 'its base' : quoted(base);
  return new Failure(
    'NOTHING_TO_REVIEW',
    `Agent ${describeAgent(agent)} has changed nothing compared with ${than}, so there is nothing to review: wait until it has`,
  );
}

/** Another registry cut a round meanwhile: this one's lock had ended. */
function cutElsewhere(agent: StoredAgent): Failure {
  return new Failure('STALE_VERSION', `Another round of ${describeAgent(agent)} was cut at the same time: try again`);
}

/** Removes a round's git reference. If that fails, the next round overwrites it. */
async function drop(scope: ReviewScope, agent: StoredAgent, roundRef: string): Promise<void> {
  await haveAgentHost(scope, agent, reviewCalls.dropRounds, { agentId: agent.id, roundRefs: [roundRef] }).catch(
    (err: unknown) =>
      scope.log.warn({ err, agentId: agent.id, roundRef }, 'a reference of a round could not be removed'),
  );
}

async function write(
  scope: ReviewScope,
  agent: StoredAgent,
  { ordinal, base, by }: { readonly ordinal: number; readonly base: string; readonly by: string },
  { leftOut, leftOutCount, baseSha, snapshotSha, treeSha, changedFiles }: Snapshot,
): Promise<StoredRound> {
  const round = await change(scope, async ({ tables, ids, now }) => {
    await findAgent(tables.agents, agent.id);
    const newest = await tables.rounds.newest(agent.id);
    if ((newest?.ordinal ?? 0) >= ordinal) throw cutElsewhere(agent);
    const row: StoredRound = {
      id: ids.id('rnd'),
      agent: agent.id,
      ordinal,
      base,
      baseSha,
      snapshotSha,
      treeSha,
      startedBy: by,
      createdAt: now,
      changedFiles,
      leftOut,
      leftOutCount,
    };
    await tables.rounds.insert(row);
    const detail = { roundId: row.id, ordinal, snapshotSha, by };
    await tables.facts.append([{ kind: 'review.round-started', subjectId: agent.id, detail }]);
    return row;
  });
  scope.reviewStatuses.measure(agent.id);
  return round;
}
