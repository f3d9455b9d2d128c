import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { z } from 'zod';
import type { ConversationHome } from '#actors/host/effects/carried-package.ts';
import { againstMoving, notCarried } from '#actors/host/effects/moved-worktree.ts';
import { conversationFiles, packAgent } from '#actors/host/effects/pack-work.ts';
import { removableWorktree } from '#actors/host/effects/worktree-place.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { maxKnown, maxRoundBytes, type moveCalls, pieceBytes } from '#contract/wire/move-calls.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { isDirectory, resolveDirectory } from '#world/file/directory.ts';
import type { PackageFolder } from '#world/file/package/package-folder.ts';
import { heldOf, tipsOf } from '#world/git/move/bundle-work.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { openRepository } from '#world/git/repository/repository.ts';
import { inspectWorktree } from '#world/git/worktree/worktree-inspection.ts';
import { findProgram } from '#world/program/find-program.mjs';

export interface MoveRequestsOptions extends ConversationHome {
  /** The agent's record at the registry. */
  readonly recordOf: (agentId: string) => Promise<AgentRecord>;
  readonly packages: PackageFolder;
  readonly worktrees: string;
  /** The folder of repositories that this host makes for agents that moved here. */
  readonly repositories: string;
  /** The current PATH on which CLIs are looked up. */
  readonly programs: () => string;
}

type MoveCalls = typeof moveCalls;
type RequestOf<K extends keyof MoveCalls> = z.output<MoveCalls[K]['request']>;
type Answer<K extends keyof MoveCalls> = z.input<MoveCalls[K]['response']>;

/** Answers the registry's requests about agents that are to move from or to this host. */
export class MoveRequests {
  readonly #options: MoveRequestsOptions;

  constructor(options: MoveRequestsOptions) {
    this.#options = options;
  }

  /** @throws Failure naming what this host lacks */
  async checkArrival({
    harness,
    cwd,
    isNamed,
    provision,
    needs = [],
  }: RequestOf<'checkArrival'>): Promise<Answer<'checkArrival'>> {
    this.#requireHarness(harness);
    const path = await resolveDirectory(cwd);
    const at = await findGitDirectory(path);
    const isThere = await isDirectory(path);
    if (!provision) {
      if (isThere) return { cwd: path, clones: false, known: [] };
      throw new Failure('DIRECTORY_MISSING', `there is no directory ${path}: create it, or name another one`);
    }
    if (at !== undefined) {
      const lacking = needs.length - (await heldOf(at, needs)).length;
      if (lacking === 0) return { cwd: path, clones: false, known: [...(await tipsOf(at, maxKnown))] };
      throw new Failure(
        'NOT_A_REPOSITORY',
        `${path} lacks commits that were pushed and are not carried: fetch them there`,
      );
    }
    if (needs.length > 0) throw notARepository(path);
    if (isThere || isNamed) throw notARepository(path);
    const own = ownRepository(this.#options.repositories, path);
    const made = await findGitDirectory(own);
    return { cwd: own, clones: true, known: made === undefined ? [] : [...(await tipsOf(made, maxKnown))] };
  }

  async checkDeparture({ agentId, known }: RequestOf<'checkDeparture'>): Promise<Answer<'checkDeparture'>> {
    const record = await this.#options.recordOf(agentId);
    const lack = await conversationFiles(this.#options, record).then(
      () => [],
      (error: unknown) => [textOf(error)],
    );
    const { worktree } = readAgentContext(record.snapshot);
    if (worktree === undefined) {
      const files = `the files in ${record.launch.cwd}, which is not its own worktree`;
      return { against: lack, notCarried: [files], isRelated: true };
    }
    const question = await removableWorktree(record, this.#options.worktrees);
    const found = question && (await inspectWorktree(question));
    if (found?.state !== 'present') {
      return { against: [...lack, `its worktree ${worktree.path} is gone`], notCarried: [], isRelated: true };
    }
    const at = await openRepository(worktree.repository);
    const isRelated = known.length === 0 || (await heldOf(at, known)).length > 0;
    return { against: [...lack, ...againstMoving(found.facts)], notCarried: [...notCarried(found.facts)], isRelated };
  }

  async packRound({ agentId, packageId }: RequestOf<'packRound'>): Promise<Answer<'packRound'>> {
    const record = await this.#options.recordOf(agentId);
    const { worktree } = readAgentContext(record.snapshot);
    const at = worktree && (await openRepository(worktree.repository));
    const known = at === undefined ? [] : await tipsOf(at, maxKnown, 'pushed');
    const order = { id: packageId, known, maxBytes: maxRoundBytes };
    const { bytes, digest, needs } = await packAgent(this.#options, record, order);
    const { notCarried: left } = await this.checkDeparture({ agentId, known: [] });
    return { bytes, digest, needs: [...needs], notCarried: left };
  }

  async dropPackage({ packageId }: RequestOf<'dropPackage'>): Promise<Answer<'dropPackage'>> {
    await this.#options.packages.forget(packageId);
    return {};
  }

  async readPackage({ moveId, offset }: RequestOf<'readPackage'>): Promise<Answer<'readPackage'>> {
    const piece = await this.#options.packages.read(moveId, offset, pieceBytes);
    return { data: piece.toString('base64') };
  }

  #requireHarness(name: string): void {
    const { harnesses, programs } = this.#options;
    const harness = harnesses.find(name);
    if (harness === undefined || harness.isUnconfirmed) {
      throw new Failure('HARNESS_UNAVAILABLE', `the harness ${quoted(name)} is unknown or unconfirmed there`);
    }
    if (findProgram(harness.command, programs()) !== undefined) return;
    throw new Failure('HARNESS_UNAVAILABLE', `${quoted(harness.command)} is not on the PATH there: install it`);
  }
}

/** Where this host creates a repository for agents whose checkout was at a path on another host. */
function ownRepository(repositories: string, path: string): string {
  const name = basename(path).replace(/[^A-Za-z0-9._-]+/g, '-');
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 8);
  return join(repositories, `${name}-${hash}.git`);
}

function notARepository(path: string): Failure {
  return new Failure(
    'NOT_A_REPOSITORY',
    `${path} is not in a git repository there: clone the repository there, or name its checkout`,
  );
}

function textOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  throw error;
}
