import { leftBehindText } from '#contract/agent/left-behind-text.ts';
import { agents } from '#page/api/clients.ts';
import { wrongFields } from '#page/api/failure-text.ts';
import { type Agent, AgentRole, type LeftBehind, NotCopiedReason } from '#page/client/agent/v1/agent_pb.js';

/** Whether an agent gets its own worktree; empty to leave it to the workflow. */
export type Worktree = '' | 'yes' | 'no';

/** The draft of a launch. Empty fields are left to the workflow. */
export interface LaunchDraft {
  readonly prompt: string;
  readonly workflowId: string;
  readonly role: AgentRole;
  readonly title: string;
  readonly harness: string;
  readonly flags: string;
  /** Whether it is launched without any flags, not even the workflow's. */
  readonly isWithoutFlags: boolean;
  readonly worktree: Worktree;
  readonly dir: string;
  readonly host: string;
  /** Labels of its host, separated by spaces. */
  readonly hostSelector: string;
  readonly parentAgentId: string;
  /** Whether its worktree starts with the directory's uncommitted, untracked and ignored files, and its submodules. */
  readonly withChanges: boolean;
}

/** The props of the fields of a launch. */
export interface LaunchFieldProps {
  readonly draft: LaunchDraft;
  readonly set: (changed: Partial<LaunchDraft>) => void;
  /** The service's error for a field. */
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
  hostSelector: '',
  parentAgentId: '',
  withChanges: false,
};

/** The fields of the draft whose names in the request are different. */
const standsFor: Readonly<Record<string, keyof LaunchDraft>> = { provisionEnabled: 'worktree' };

/** The errors of a refusal by field of the draft; empty if it is about the launch as a whole. */
export function wrongWithDraft(error: unknown): ReadonlyMap<keyof LaunchDraft, string> {
  const named = [...wrongFields(error)].map(([field, text]) => [standsFor[field] ?? field, text] as const);
  return new Map(named.filter((one): one is [keyof LaunchDraft, string] => one[0] in emptyLaunch));
}

/** How a launch takes along what its worktree would lack. */
const way = 'check “with the changes …” of the launch to bring it along';

/** A newly launched agent, and what its worktree lacks, as text. */
interface LaunchedAgent {
  readonly agent: Agent | undefined;
  readonly lacked: string;
}

/** Launches the draft. `idempotencyKey` stays the same as long as the draft does. */
export async function launch(draft: LaunchDraft, idempotencyKey: string): Promise<LaunchedAgent> {
  const { worktree, parentAgentId, isWithoutFlags, withChanges, hostSelector, ...given } = draft;
  const isChild = parentAgentId !== '';
  const { agent, leftBehind } = await agents.createAgent({
    ...given,
    hostSelector: isChild ? [] : hostSelector.split(/\s+/).filter(Boolean),
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

/** Whether the agent may get a worktree to which changes can be copied. */
export function mayHaveChanges({ worktree, parentAgentId }: LaunchDraft): boolean {
  return worktree !== 'no' && parentAgentId === '';
}

/** Whether an agent can have children. */
export function mayHaveChildren({ parentAgentId, role, archivedAt }: Agent): boolean {
  return parentAgentId === '' && archivedAt === '' && role !== AgentRole.ORCHESTRATOR;
}
