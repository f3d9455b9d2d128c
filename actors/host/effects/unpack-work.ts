import type { Performer } from '#actors/host/agent/performer.ts';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { Worktree } from '#machines/agent/worktree.ts';
import { filledPattern, patternOf } from '#machines/harness/conversation/place.ts';
import { copyFiles } from '#world/file/copy-files.ts';
import { replacedIn, writeConversationFile } from '#world/file/package/conversation-files.ts';
import type { OpenPackage } from '#world/file/package/package-file.ts';
import { type PackageFolder, savePart } from '#world/file/package/package-folder.ts';
import { landWork, makeRepository } from '#world/git/move/land-work.ts';
import { findGitDirectory, type GitDirectory } from '#world/git/repository/git-directory.ts';
import { openRepository } from '#world/git/repository/repository.ts';
import { type ConversationHome, conversationOf, moveOf, PackageHeader } from './carried-package.ts';
import { worktreePlace } from './worktree-place.ts';

export interface UnpackingOptions extends ConversationHome {
  readonly packages: PackageFolder;
  readonly worktrees: string;
  /** The folder of repositories that this host makes for agents that moved here. */
  readonly repositories: string;
  readonly registry: Pick<RegistryClient, 'piece'>;
}

/** Fetches the package of an agent that moves to this host, and makes its worktree and conversation from it. */
export function unpackWork(options: UnpackingOptions): Performer {
  return {
    step: 'unpacking',
    async perform({ record }) {
      const { packages, registry } = options;
      const { id, package: announced } = moveOf(record);
      if (announced === undefined) throw new Failure('INTERNAL', `agent ${record.id} has no package`);
      const pieceAt = async (at: number) => Buffer.from(await registry.piece(record.id, record.epoch, at), 'base64');
      await using packed = await packages.receive(id, announced, pieceAt);
      const header = parseRequest(PackageHeader, packed.header);
      const worktree = await landed(options, record, { packed, header });
      await landConversation(options, record, { packed, header, cwd: worktree?.path ?? record.launch.cwd });
      await packages.forget(id);
      return { type: 'UNPACKED', ...(worktree && { worktree }) };
    },
  };
}

interface PackageSource {
  readonly packed: OpenPackage;
  readonly header: PackageHeader;
}

/** Makes the worktree, and copies the files into it that the workflow names. */
async function landed(
  { worktrees, repositories, packages }: UnpackingOptions,
  record: AgentRecord,
  { packed, header }: PackageSource,
): Promise<Worktree | undefined> {
  const { launch, id } = record;
  const { work } = header;
  if ((work !== undefined) !== launch.provision) {
    throw new Failure('PACKAGE_REFUSED', 'what the other host sent has a worktree for an agent without one, or none');
  }
  if (work === undefined) return undefined;
  const moveId = moveOf(record).id;
  return packages.withFile(moveId, async (file) => {
    await savePart(packed, work.bytes, file);
    const { bytes: _, ...carried } = work;
    const order = { agentId: id, work: carried, file, moveId };
    const at = await repositoryAt(launch.cwd, repositories, order);
    const made = await landWork(at, { ...order, ...worktreePlace(record, worktrees, at.commonDir) });
    const patterns = launch.copyFiles;
    const copied = at.workTree === undefined ? [] : await copyFiles({ from: at.workTree, to: made.path, patterns });
    return { ...made, repository: at.commonDir, copied };
  });
}

/** The repository at a directory. One of muster's own is created from the bundle, if it does not exist yet. */
async function repositoryAt(
  cwd: string,
  repositories: string,
  order: Parameters<typeof makeRepository>[1],
): Promise<GitDirectory> {
  if (cwd.startsWith(`${repositories}/`)) await makeRepository(cwd, order);
  const at = await findGitDirectory(cwd);
  return at ?? openRepository(cwd);
}

/** Writes the files of the conversation to where the CLI looks for them on this host. */
async function landConversation(
  home: ConversationHome,
  record: AgentRecord,
  { packed, header, cwd }: PackageSource & { readonly cwd: string },
): Promise<void> {
  if (header.conversation.length === 0) return;
  const conversation = await conversationOf(home, record);
  if (conversation === undefined)
    throw new Failure('PACKAGE_REFUSED', 'the other host sent a conversation that it has none of');
  const { place, root, sessionId } = conversation;
  for (const { pattern, names, bytes } of header.conversation) {
    const parts = filledPattern(patternOf(place, pattern, { sessionId, cwd }) ?? [], names);
    if (parts === undefined) {
      throw new Failure('PACKAGE_REFUSED', 'the other host sent a file that is not part of its conversation');
    }
    const { cwdField } = place;
    const content = packed.part(bytes);
    const spelt = (path: string) => `"${cwdField}":${JSON.stringify(path)}`;
    const own =
      cwdField === undefined || header.cwd === cwd ? content : replacedIn(content, spelt(header.cwd), spelt(cwd));
    await writeConversationFile(root, parts, own);
  }
}
