import { join } from 'node:path';
import { z } from 'zod';
import type { HostProfiles } from '#actors/host/secret/host-profiles.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import type { Move } from '#machines/agent/move.ts';
import { type ConversationPlace, isPlainSession } from '#machines/harness/conversation/place.ts';
import type { Harness } from '#machines/harness/definition.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { CarriedWork } from '#world/git/move/carried-work.ts';
import { isLinked, privateFolderOf } from '#world/isolation/private-home.ts';
import { agentEnvironment, withAdditions } from '#world/process/environment.ts';

/** The header of a package: its contents, in the order of its parts. */
export const PackageHeader = z.strictObject({
  /** The bundle of the worktree; unset for an agent without one. */
  work: CarriedWork.extend({ bytes: z.int().min(1) }).optional(),
  /** The files of the conversation: the pattern that each matches, and the captures of its wildcards. */
  conversation: z
    .array(
      z.strictObject({ pattern: z.int().min(0).max(100), names: z.array(z.string()).max(64), bytes: z.int().min(0) }),
    )
    .max(10_000),
  /** The directory that the CLI ran in. */
  cwd: z.string().max(4_096),
});
export type PackageHeader = z.infer<typeof PackageHeader>;

/** The dependencies of a search for conversations. */
export interface ConversationHome {
  readonly harnesses: Pick<Harnesses, 'find'>;
  /** The person's environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly variables: readonly string[];
  /** The private folders of isolated agents. */
  readonly sandboxes: string;
  readonly profiles: Pick<HostProfiles, 'folderOf'>;
}

/** An agent's conversation on this host. */
export interface LocalConversation {
  readonly place: ConversationPlace;
  /** The CLI's folder. */
  readonly root: string;
  readonly sessionId: string;
}

/** The move in an agent's record. @throws INTERNAL when it does not move */
export function moveOf({ id, snapshot }: AgentRecord): Move {
  const { move } = readAgentContext(snapshot);
  if (move === undefined) throw new Failure('INTERNAL', `agent ${id} does not move`);
  return move;
}

/** Where an agent's CLI keeps its conversation; undefined if it has none. */
export async function conversationOf(
  home: ConversationHome,
  record: AgentRecord,
): Promise<LocalConversation | undefined> {
  const { launch, snapshot, id } = record;
  const harness = home.harnesses.find(launch.harness);
  const { session, briefed } = readAgentContext(snapshot);
  if (harness?.conversation === 'none') return undefined;
  if (harness?.conversation === undefined) {
    throw new Failure(
      'CONVERSATION_NOT_CARRIED',
      `muster does not know where ${launch.harness} keeps its conversations, so its agents cannot move`,
    );
  }
  const sessionId = session?.id ?? (names(harness) ? launch.sessionId : undefined);
  if (!briefed || sessionId === undefined) return undefined;
  if (!isPlainSession(sessionId)) {
    throw new Failure(
      'CONVERSATION_NOT_CARRIED',
      `the id of its conversation cannot be part of a file’s name: ${sessionId}`,
    );
  }
  const { variable, folder } = harness.conversation;
  const ofProfile = variable === undefined ? undefined : await home.profiles.folderOf(record);
  const given = agentEnvironment(home.environment, [...home.variables, ...(harness.variables ?? [])]);
  const environment = withAdditions(given, home.environment, launch.environment);
  const named = ofProfile ?? (variable === undefined ? undefined : environment[variable]);
  const own = launch.isolation && privateFolderOf(home.sandboxes, id);
  const root = named ? (own?.cli ?? named) : join(own?.home ?? environment['HOME'] ?? '/', folder);
  if (own && isLinked(own, root)) {
    throw new Failure('CONVERSATION_NOT_CARRIED', `${root} leads through a link, which the agent may have put there`);
  }
  return { place: harness.conversation, root, sessionId };
}

function names({ start }: Harness): boolean {
  return start.some((word) => word.includes('{sessionId}'));
}
