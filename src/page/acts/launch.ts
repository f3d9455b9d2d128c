import { leftBehindText } from '#contract/agent/left-behind-text.ts';
import { agents } from '#page/api/clients.ts';
import { wrongFields } from '#page/api/failure-text.ts';
import { type Agent, AgentRole, type LeftBehind, NotCopiedReason } from '#page/client/agent/v1/agent_pb.js';

/** Whether an agent gets its own worktree; else as its workflow has it. */
export type Worktree = '' | 'yes' | 'no';

/** A launch as it is being written; an empty field is left to the workflow. */
export interface LaunchDraft {
  readonly prompt: string;
  readonly workflowId: string;
  readonly role: AgentRole;
  readonly title: string;
  readonly harness: string;
  readonly flags: string;
  /** Launches without any flags, also those of the workflow. */
  readonly isWithoutFlags: boolean;
  readonly worktree: Worktree;
  readonly dir: string;
  readonly host: string;
  readonly parentAgentId: string;
  /** Starts its worktree with the uncommitted, untracked and ignored files of the directory, and its submodules. */
  readonly withChanges: boolean;
}

/** What fields of a launch are written into. */
export interface LaunchFieldProps {
  readonly draft: LaunchDraft;
  readonly set: (changed: Partial<LaunchDraft>) => void;
  /** What the service says is wrong with a field. */
  readonly wrong: (field: keyof LaunchDraft) => string | undefined;
}

export const emptyLaunch: LaunchDraft = {
  prompt: '',
  workflowId: '',
  role: AgentRole.UNSPECIFIED,
  title: '',
  harness: '',
  flags: '',
  isWithoutFlags: false,
  worktree: '',
  dir: '',
  host: '',
  parentAgentId: '',
  withChanges: false,
};

/** The field of the draft that stands for a field of the request. */
const standsFor: Readonly<Record<string, keyof LaunchDraft>> = { provisionEnabled: 'worktree' };

/** What is wrong with each field of a draft that a refusal names; empty if it is about the launch as a whole. */
export function wrongWithDraft(error: unknown): ReadonlyMap<keyof LaunchDraft, string> {
  const named = [...wrongFields(error)].map(([field, text]) => [standsFor[field] ?? field, text] as const);
  return new Map(named.filter((one): one is [keyof LaunchDraft, string] => one[0] in emptyLaunch));
}

/** How a launch brings along what its worktree lacks. */
const way = 'check “with the changes …” of the launch to bring it along';

/** An agent that was just launched, and what its worktree lacks, in words. */
interface Launched {
  readonly agent: Agent | undefined;
  readonly lacked: string;
}

/** Launches what was written. `idempotencyKey` is the same for as long as the draft is. */
export async function launch(draft: LaunchDraft, idempotencyKey: string): Promise<Launched> {
  const { worktree, parentAgentId, isWithoutFlags, withChanges, ...given } = draft;
  const isChild = parentAgentId !== '';
  const { agent, leftBehind } = await agents.createAgent({
    ...given,
    // A child works in its parent's directory, on its parent's host.
    ...(isChild ? { dir: '', host: '' } : { withChanges: mayHaveChanges(draft) && withChanges }),
    ...(worktree === '' || isChild ? {} : { provisionEnabled: worktree === 'yes' }),
    ...(isWithoutFlags && { flags: '', clear: ['flags'] }),
    parentAgentId,
    idempotencyKey,
  });
  return { agent, lacked: leftBehind === undefined ? '' : lackedText(leftBehind) };
}

function lackedText({ notCopied, ...others }: LeftBehind): string {
  const named = notCopied.map(({ path, reason, bytes }) => ({
    path,
    reason: NotCopiedReason[reason],
    bytes: String(bytes),
  }));
  return leftBehindText({ ...others, notCopied: named }, way);
}

/** Whether there may be a worktree to bring changes into. */
export function mayHaveChanges({ worktree, parentAgentId }: LaunchDraft): boolean {
  return worktree !== 'no' && parentAgentId === '';
}

/** Whether an agent may have children. */
export function mayHaveChildren({ parentAgentId, role, archivedAt }: Agent): boolean {
  return parentAgentId === '' && archivedAt === '' && role !== AgentRole.ORCHESTRATOR;
}
