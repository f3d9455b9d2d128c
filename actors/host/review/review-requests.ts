import type { z } from 'zod';
import { type PermitClient, writePermitBy } from '#actors/host/typing/permission.ts';
import type { BaseWatch } from '#actors/host/watch/base-watch.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { reviewCalls } from '#contract/wire/review-calls.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { forgetHashed } from '#world/git/checkout/own-index.ts';
import { type CheckoutFolder, findGitDirectory, type GitDirectory } from '#world/git/repository/git-directory.ts';
import { checkAnchor } from '#world/git/review/anchor.ts';
import { carryAnchors } from '#world/git/review/carry.ts';
import { reviewDiff } from '#world/git/review/review-diff.ts';
import { cutRound, dropRounds } from '#world/git/review/round.ts';
import { type Holders, reviewStatuses } from '#world/git/review/standing.ts';
import { readLines } from '#world/git/review/stored-file.ts';
import { applySuggestion } from '#world/git/review/suggestion.ts';
import { viewWorktree } from '#world/git/review/worktree-view.ts';
import { basesOf, provisioned, repointed } from './provisioned-worktree.ts';

export interface ReviewRequestsOptions {
  /** The agent's record, also if the agent is archived. */
  readonly recordOf: (agentId: string) => Promise<AgentRecord>;
  /** Requests permits. */
  readonly asking: PermitClient;
  /** Watches the bases that worktrees are compared with. */
  readonly bases?: BaseWatch;
}

type ReviewCalls = typeof reviewCalls;
type RequestOf<K extends keyof ReviewCalls> = z.output<ReviewCalls[K]['request']>;
type Answer<K extends keyof ReviewCalls> = z.input<ReviewCalls[K]['response']>;

/** Handles the requests about reviews that need an agent's checkout. Never runs what a repository configures. */
export class ReviewRequests {
  readonly #recordOf: ReviewRequestsOptions['recordOf'];
  readonly #asking: PermitClient;
  readonly #bases: BaseWatch | undefined;
  /** The checkout of each agent without its own worktree, as first found. */
  readonly #pinned = new Map<string, GitDirectory>();
  readonly #holders: Holders = new Map();

  constructor({ recordOf, asking, bases }: ReviewRequestsOptions) {
    this.#recordOf = recordOf;
    this.#asking = asking;
    this.#bases = bases;
  }

  /** Forgets a deleted agent: stops watching its base, and drops the hashes of its worktree. */
  forget({ id, snapshot }: Pick<AgentRecord, 'id' | 'snapshot'>): void {
    this.#pinned.delete(id);
    this.#bases?.forget(id);
    const { worktree } = readAgentContext(snapshot);
    if (worktree !== undefined) forgetHashed(worktree.path);
  }

  async cutRound(asked: RequestOf<'cutRound'>): Promise<Answer<'cutRound'>> {
    const { agentId, base, roundRef: ref, settled = false, ticket } = asked;
    const record = await this.#recordOf(agentId);
    const permit = writePermitBy(this.#asking, ticket);
    const order = { ...basesOf(record, base), ref, settled, permit };
    const round = await cutRound(await this.#checkout(record), order);
    return { ...round, leftOut: [...round.leftOut] };
  }

  async dropRounds({ agentId, roundRefs, ticket }: RequestOf<'dropRounds'>): Promise<Answer<'dropRounds'>> {
    const at = await this.#repository(agentId);
    const checkWanted = await writePermitBy(this.#asking, ticket)();
    checkWanted();
    await dropRounds(at, roundRefs);
    return {};
  }

  async treeOf({ agentId }: RequestOf<'treeOf'>): Promise<Answer<'treeOf'>> {
    const at = await this.#checkout(await this.#recordOf(agentId));
    return viewWorktree(at, { objects: 'discard', hashing: 'changed' }, async ({ treeSha, headSha }) => ({
      treeSha,
      ...(headSha === undefined ? {} : { headSha }),
    }));
  }

  async reviewDiff(asked: RequestOf<'reviewDiff'>): Promise<Answer<'reviewDiff'>> {
    const { pageBytes = 256 * 1024, context = 3 } = asked;
    const page = await reviewDiff(await this.#repository(asked.agentId), { ...asked, pageBytes, context });
    const { files, nextCursor, totalFiles } = page;
    return { files: [...files], totalFiles, ...(nextCursor === undefined ? {} : { nextCursor }) };
  }

  async fileLines({ agentId, sha, path, start, end }: RequestOf<'fileLines'>): Promise<Answer<'fileLines'>> {
    const { lines, totalLines } = await readLines(await this.#repository(agentId), sha, path, { start, end });
    return { lines: [...lines], totalLines };
  }

  async anchorThread(asked: RequestOf<'anchorThread'>): Promise<Answer<'anchorThread'>> {
    const { hasSuggestion = false } = asked;
    const verdict = await checkAnchor(await this.#repository(asked.agentId), { ...asked, hasSuggestion });
    if (verdict.ok) return { ok: true, message: '', stands: [] };
    return { ...verdict, stands: [...verdict.stands] };
  }

  async carryThreads({ agentId, from, to, anchors }: RequestOf<'carryThreads'>): Promise<Answer<'carryThreads'>> {
    return { placements: await carryAnchors(await this.#repository(agentId), from, to, anchors) };
  }

  async standing({ agentId, base, rounds }: RequestOf<'standing'>): Promise<Answer<'standing'>> {
    const record = await this.#recordOf(agentId);
    if (phaseOf(record.snapshot.value) === 'gone') throw new Failure('AGENT_GONE', `agent ${agentId} is gone`);
    const question = basesOf(record, base);
    const at = await this.#checkout(record);
    const measure = () => reviewStatuses(at, { ...question, rounds }, this.#holders);
    const measured = await (this.#bases?.over(agentId, { at, question }, measure) ?? measure());
    const { treeSha, tips, standings } = measured;
    return {
      treeSha,
      baseTips: [...tips],
      standings: standings.map((one) => ({ ...one, standing: `REVIEW_TREE_STANDING_${one.standing}` as const })),
    };
  }

  async applySuggestion(asked: RequestOf<'applySuggestion'>): Promise<Answer<'applySuggestion'>> {
    const range = { start: asked.newStart, end: asked.newEnd };
    const permit = writePermitBy(this.#asking, asked.ticket);
    return applySuggestion(await this.#checkout(await this.#recordOf(asked.agentId)), { ...asked, range, permit });
  }

  /** The repository of an agent, also if its worktree is gone. */
  async #repository(agentId: string): Promise<GitDirectory> {
    const record = await this.#recordOf(agentId);
    const { worktree } = readAgentContext(record.snapshot);
    if (worktree === undefined) return this.#checkout(record);
    const at = await findGitDirectory(worktree.repository);
    if (at?.commonDir === worktree.repository) return at;
    throw new Failure('DIRECTORY_MISSING', `the repository ${worktree.repository} of agent ${agentId} is gone`);
  }

  /**
   * The checkout of an agent: its worktree, or else the one that its working directory belongs to. Fails if its `.git`
   * points elsewhere than when it was first found, because an agent may have changed it.
   */
  async #checkout(record: AgentRecord): Promise<CheckoutFolder> {
    const { worktree, provision } = readAgentContext(record.snapshot);
    if (worktree !== undefined) return provisioned(record.id, worktree);
    if (provision) throw new Failure('NO_WORKTREE_YET', `agent ${record.id} has no worktree yet: wait until it has`);
    const { cwd } = record.launch;
    const at = await findGitDirectory(cwd);
    if (at?.workTree === undefined) {
      throw new Failure(
        'NOT_A_REPOSITORY',
        `agent ${record.id} runs in ${cwd}, which is not in a git checkout: there is nothing to review`,
      );
    }
    const known = this.#pinned.get(record.id) ?? at;
    this.#pinned.set(record.id, known);
    if (known.gitDir !== at.gitDir || known.commonDir !== at.commonDir) throw repointed(record.id, at.workTree);
    return { ...at, workTree: at.workTree };
  }
}
