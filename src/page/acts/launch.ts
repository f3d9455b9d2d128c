import { agents } from '#page/api/clients.ts';
import { type Agent, AgentRole } from '#page/client/agent/v1/agent_pb.js';

/** Whether an agent gets a worktree of its own; else as its workflow has it. */
export type Worktree = '' | 'yes' | 'no';

/** A launch as it is being written; an empty field is left to the workflow. */
export interface LaunchDraft {
  readonly prompt: string;
  readonly workflowId: string;
  readonly role: AgentRole;
  readonly title: string;
  readonly harness: string;
  readonly flags: string;
  readonly worktree: Worktree;
  readonly dir: string;
  readonly host: string;
  readonly parentAgentId: string;
}

export const emptyLaunch: LaunchDraft = {
  prompt: '',
  workflowId: '',
  role: AgentRole.UNSPECIFIED,
  title: '',
  harness: '',
  flags: '',
  worktree: '',
  dir: '',
  host: '',
  parentAgentId: '',
};

export const roleWords: readonly (readonly [role: AgentRole, word: string])[] = [
  [AgentRole.UNSPECIFIED, 'as the workflow has it'],
  [AgentRole.IMPLEMENTER, 'implementer'],
  [AgentRole.REVIEWER, 'reviewer'],
  [AgentRole.ORCHESTRATOR, 'orchestrator'],
];

/** How a refusal that speaks of a field begins, or what it says of it. */
const speaks = {
  prompt: /^prompt\b/,
  workflowId: /^workflowId\b|^there is no workflow|its workflow is/i,
  role: /^role\b|may not launch an orchestrator/,
  title: /^title\b/,
  harness: /^harness\b|names a harness/,
  flags: /^flags\b/,
  worktree: /^provisionEnabled\b|no worktree can be made/,
  dir: /^dir\b/,
  host: /^host\b|^(?:no )?host /i,
  parentAgentId: /^parentAgentId\b|cannot have this child/,
} as const satisfies Readonly<Record<keyof LaunchDraft, RegExp>>;

/** The field that a refusal speaks of; undefined where it is about the launch as a whole. */
export function fieldOf(refusal: string): keyof LaunchDraft | undefined {
  const fields = Object.keys(speaks) as (keyof LaunchDraft)[];
  return fields.find((field) => speaks[field].test(refusal));
}

/** Launches what was written. `idempotencyKey` is the same for as long as the draft is. */
export async function launch(draft: LaunchDraft, idempotencyKey: string): Promise<Agent | undefined> {
  const { worktree, parentAgentId, ...given } = draft;
  // A child works in its parent's directory, on its parent's host.
  const place = parentAgentId === '' ? {} : { dir: '', host: '' };
  const provision = worktree === '' || parentAgentId !== '' ? {} : { provisionEnabled: worktree === 'yes' };
  const { agent } = await agents.createAgent({ ...given, ...place, ...provision, parentAgentId, idempotencyKey });
  return agent;
}

/** Whether an agent may have children. */
export function mayHaveChildren({ parentAgentId, role, archivedAt }: Agent): boolean {
  return parentAgentId === '' && archivedAt === '' && role !== AgentRole.ORCHESTRATOR;
}
