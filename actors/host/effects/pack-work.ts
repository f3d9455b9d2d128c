import type { Performer } from '#actors/host/agent/performer.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { MoveId, maxPackageBytes } from '#contract/wire/move-calls.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { capturesOf, patternOf } from '#machines/harness/conversation/place.ts';
import { type MatchedFile, matchingFiles } from '#world/file/package/conversation-files.ts';
import { digestOf, type PackageDigest, type PackagePart } from '#world/file/package/package-file.ts';
import type { PackageFolder } from '#world/file/package/package-folder.ts';
import { prerequisitesOf } from '#world/git/move/bundle-pack.ts';
import { bundleWork } from '#world/git/move/bundle-work.ts';
import { openRepository } from '#world/git/repository/repository.ts';
import { worktreeAt } from '#world/git/worktree/worktree-entry.ts';
import { inspectWorktree } from '#world/git/worktree/worktree-inspection.ts';
import {
  type ConversationHome,
  conversationOf,
  type LocalConversation,
  moveOf,
  type PackageHeader,
} from './carried-package.ts';
import { againstMoving } from './moved-worktree.ts';
import { removableWorktree } from './worktree-place.ts';

export interface PackingOptions extends ConversationHome {
  readonly packages: PackageFolder;
  readonly worktrees: string;
}

/** Packs an agent's work into one file for a move: its worktree as a git bundle, and its conversation. */
export function packWork(options: PackingOptions): Performer {
  return {
    step: 'packing',
    async perform({ record }) {
      const { id, known } = moveOf(record);
      const { bytes, digest } = await packAgent(options, record, { id, known, maxBytes: maxPackageBytes });
      return { type: 'PACKED', package: { bytes, digest } };
    },
  };
}

/** Removes the package of a cancelled move: the agent stays on its host. */
export function dropPackage(packages: Pick<PackageFolder, 'forget'>): Performer {
  return {
    step: undefined,
    async perform({ effect }) {
      await packages.forget(MoveId.parse(effect.params['moveId']));
      return undefined;
    },
  };
}

/** The options of a package. */
export interface PackOptions {
  /** The id of the package. */
  readonly id: string;
  /** Commits that are left out, because the other host has them. */
  readonly known: readonly string[];
  readonly maxBytes: number;
}

/** A package, and the commits that a repository must have before it can be used. */
export interface PackedAgent extends PackageDigest {
  readonly needs: readonly string[];
}

/** Writes the package of an agent. @throws RESOURCE_EXHAUSTED when it is too large */
export function packAgent(options: PackingOptions, record: AgentRecord, order: PackOptions): Promise<PackedAgent> {
  const { packages } = options;
  return packages.withFile(order.id, async (bundle) => {
    const work = await bundled(options, record, { ...order, file: bundle });
    const found = await conversationFiles(options, record);
    const header: PackageHeader = {
      ...(work && { work }),
      conversation: found.map(({ pattern, names, bytes }) => ({ pattern, names: [...names], bytes })),
      cwd: directoryOf(record),
    };
    const files: PackagePart[] = found.map(({ path: file, bytes }) => ({ file, bytes }));
    const parts = work ? [{ file: bundle, bytes: work.bytes }, ...files] : files;
    const packed = await packages.write(order.id, header, parts, order.maxBytes);
    return { ...packed, needs: work ? await prerequisitesOf(bundle) : [] };
  });
}

/** The directory that an agent's CLI runs in. */
export function directoryOf({ launch, snapshot }: AgentRecord): string {
  return readAgentContext(snapshot).worktree?.path ?? launch.cwd;
}

async function bundled(
  { worktrees }: PackingOptions,
  record: AgentRecord,
  packing: PackOptions & { readonly file: string },
): Promise<PackageHeader['work']> {
  const { worktree, worktreeRemoved } = readAgentContext(record.snapshot);
  if (worktree === undefined) return undefined;
  const question = await removableWorktree(record, worktrees);
  const found = worktreeRemoved || question === undefined ? undefined : await inspectWorktree(question);
  if (found?.state !== 'present') {
    throw new Failure(
      'DIRECTORY_MISSING',
      `its worktree ${worktree.path} is gone, or is not the one that was made for it`,
    );
  }
  const [against] = againstMoving(found.facts);
  if (against !== undefined) throw new Failure('MOVE_NOT_POSSIBLE', against, { metadata: { agentId: record.id } });
  const at = await openRepository(worktree.repository);
  const { branch, baseSha } = worktree;
  const order = { agentId: record.id, branch, baseSha, ...packing };
  const work = await bundleWork(await worktreeAt(at.commonDir, worktree.path), order);
  return { ...work, bytes: (await digestOf(packing.file)).bytes };
}

interface ConversationFile extends MatchedFile {
  readonly pattern: number;
}

/** The files of an agent's conversation. @throws FAILED_PRECONDITION when the files of its conversation are missing */
export async function conversationFiles(
  home: ConversationHome,
  record: AgentRecord,
): Promise<readonly ConversationFile[]> {
  const conversation = await conversationOf(home, record);
  if (conversation === undefined) return [];
  const found = await filesOf(conversation, directoryOf(record));
  if (found.length > 0) return found;
  const { root, sessionId } = conversation;
  throw new Failure('CONVERSATION_NOT_CARRIED', `its conversation ${sessionId} is not in ${root}`);
}

async function filesOf(
  { place, root, sessionId }: LocalConversation,
  cwd: string,
): Promise<readonly ConversationFile[]> {
  const found: ConversationFile[] = [];
  for (const number of place.files.keys()) {
    const parts = patternOf(place, number, { sessionId, cwd }) ?? [];
    const files = await matchingFiles(root, parts, capturesOf);
    found.push(...files.map((file) => ({ ...file, pattern: number })));
  }
  return found;
}
