import { workflows } from '#page/api/clients.ts';
import { AgentRole } from '#page/client/agent/v1/agent_pb.js';
import { Isolation, NetworkAccess, type NoticeKind } from '#page/client/shared/v1/shared_pb.js';
import { OnBoot, OnUsageLimit, type PullRequestMatter, type Workflow } from '#page/client/workflow/v1/workflow_pb.js';

/** Whether agents get worktrees of their own; empty: only if the directory is in a repository. */
export type Worktrees = '' | 'yes' | 'no';

/** The draft of a workflow. Lists have one entry per line. */
export interface Draft {
  readonly name: string;
  readonly cwd: string;
  readonly harness: string;
  readonly flags: string;
  readonly context: string;
  readonly worktrees: Worktrees;
  readonly role: AgentRole;
  readonly baseBranch: string;
  readonly host: string;
  readonly hostSelector: string;
  readonly isolation: Isolation;
  readonly network: NetworkAccess;
  readonly image: string;
  readonly allowedHosts: string;
  readonly loopbackPorts: string;
  readonly readable: string;
  readonly writable: string;
  /** Limits as numbers; empty for none. */
  readonly memoryMib: string;
  readonly maxProcesses: string;
  readonly cpuPercent: string;
  readonly diskMib: string;
  readonly setup: string;
  readonly teardown: string;
  readonly onIdle: string;
  readonly onWaiting: string;
  readonly copyFiles: string;
  readonly environment: string;
  readonly buildFolders: string;
  /** Days; empty for never. */
  readonly buildFoldersAfterDays: string;
  readonly worktreesAfterDays: string;
  /** The id of a profile. */
  readonly profileId: string;
  readonly onUsageLimit: OnUsageLimit;
  readonly onBoot: OnBoot;
  readonly preApprovedTools: string;
  readonly mailOnPullRequest: readonly PullRequestMatter[];
  readonly harnesses: string;
  readonly hosts: string;
  readonly flagSets: string;
  readonly directories: string;
  readonly workflowIds: string;
  readonly webhook: string;
  readonly command: string;
  readonly on: readonly NoticeKind[];
}
export type DraftField = keyof Draft;

const text = (lines: readonly string[] = []): string => lines.join('\n');
/** The lines of a list, without blank ones. */
const lines = (value: string): string[] =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const worktreesOf = (provisionEnabled: boolean | undefined): Worktrees =>
  provisionEnabled === undefined ? '' : provisionEnabled ? 'yes' : 'no';

/** The initial draft of a form: that of a workflow, or of a new one. */
export function draftOf(workflow: Workflow | undefined): Draft {
  const { scripts, agentsMayLaunch: may, notify, grants } = workflow ?? {};
  return {
    name: workflow?.name ?? '',
    cwd: workflow?.cwd ?? '',
    harness: workflow?.harness ?? '',
    flags: workflow?.flags ?? '',
    context: workflow?.context ?? '',
    worktrees: worktreesOf(workflow?.provisionEnabled),
    role: workflow?.role ?? AgentRole.UNSPECIFIED,
    baseBranch: workflow?.baseBranch ?? '',
    host: workflow?.host ?? '',
    hostSelector: workflow?.hostSelector.join(' ') ?? '',
    isolation: workflow?.isolation ?? Isolation.UNSPECIFIED,
    image: grants?.image ?? '',
    network: grants?.network ?? NetworkAccess.UNSPECIFIED,
    allowedHosts: text(grants?.hosts),
    loopbackPorts: text(grants?.loopbackPorts.map(String)),
    readable: text(grants?.readable),
    writable: text(grants?.writable),
    memoryMib: String(grants?.memoryMib || ''),
    maxProcesses: String(grants?.maxProcesses || ''),
    cpuPercent: String(grants?.cpuPercent || ''),
    diskMib: String(grants?.diskMib || ''),
    setup: scripts?.setup ?? '',
    teardown: scripts?.teardown ?? '',
    onIdle: scripts?.onIdle ?? '',
    onWaiting: scripts?.onWaiting ?? '',
    copyFiles: text(workflow?.copyFiles),
    environment: text(workflow?.environment),
    buildFolders: text(workflow?.archivePolicy?.buildFolders),
    buildFoldersAfterDays: String(workflow?.archivePolicy?.buildFoldersAfterDays || ''),
    worktreesAfterDays: String(workflow?.archivePolicy?.worktreesAfterDays || ''),
    profileId: workflow?.profileId ?? '',
    onUsageLimit: workflow?.onUsageLimit ?? OnUsageLimit.UNSPECIFIED,
    onBoot: workflow?.onBoot === OnBoot.RESTORE ? OnBoot.RESTORE : OnBoot.UNSPECIFIED,
    preApprovedTools: text(workflow?.preApprovedTools),
    mailOnPullRequest: workflow?.mailOnPullRequest ?? [],
    harnesses: text(may?.harnesses),
    hosts: text(may?.hosts),
    flagSets: text(may?.flags),
    directories: text(may?.directories),
    workflowIds: text(may?.workflowIds),
    webhook: notify?.webhook ?? '',
    command: notify?.command ?? '',
    on: notify?.on ?? [],
  };
}

/** A draft as the fields of a request. */
function givenBy(draft: Draft) {
  const { setup, teardown, onIdle, onWaiting, webhook, command, on, worktrees } = draft;
  return {
    name: draft.name,
    cwd: draft.cwd,
    harness: draft.harness,
    flags: draft.flags,
    context: draft.context,
    role: draft.role,
    baseBranch: draft.baseBranch,
    host: draft.host,
    hostSelector: draft.hostSelector.split(/\s+/).filter(Boolean),
    isolation: draft.isolation,
    grants: {
      image: draft.image,
      network: draft.network,
      hosts: lines(draft.allowedHosts),
      loopbackPorts: lines(draft.loopbackPorts).map(Number),
      readable: lines(draft.readable),
      writable: lines(draft.writable),
      memoryMib: Number(draft.memoryMib),
      maxProcesses: Number(draft.maxProcesses),
      cpuPercent: Number(draft.cpuPercent),
      diskMib: Number(draft.diskMib),
    },
    ...(worktrees !== '' && { provisionEnabled: worktrees === 'yes' }),
    scripts: { setup, teardown, onIdle, onWaiting },
    copyFiles: lines(draft.copyFiles),
    environment: lines(draft.environment),
    archivePolicy: {
      buildFolders: lines(draft.buildFolders),
      buildFoldersAfterDays: Number(draft.buildFoldersAfterDays),
      worktreesAfterDays: Number(draft.worktreesAfterDays),
    },
    profileId: draft.profileId,
    onUsageLimit: draft.onUsageLimit,
    onBoot: draft.onBoot,
    preApprovedTools: lines(draft.preApprovedTools),
    mailOnPullRequest: [...draft.mailOnPullRequest],
    agentsMayLaunch: {
      harnesses: lines(draft.harnesses),
      hosts: lines(draft.hosts),
      flags: lines(draft.flagSets),
      directories: lines(draft.directories),
      workflowIds: lines(draft.workflowIds),
    },
    notify: { webhook, command, on: [...on] },
  };
}

/** The field of the workflow that contains each field of the draft, if it has a different name. */
const partOf: Readonly<Partial<Record<DraftField, string>>> = {
  worktrees: 'provisionEnabled',
  network: 'grants',
  image: 'grants',
  allowedHosts: 'grants',
  loopbackPorts: 'grants',
  readable: 'grants',
  writable: 'grants',
  memoryMib: 'grants',
  maxProcesses: 'grants',
  cpuPercent: 'grants',
  diskMib: 'grants',
  setup: 'scripts',
  teardown: 'scripts',
  onIdle: 'scripts',
  onWaiting: 'scripts',
  buildFolders: 'archivePolicy',
  buildFoldersAfterDays: 'archivePolicy',
  worktreesAfterDays: 'archivePolicy',
  harnesses: 'agentsMayLaunch',
  hosts: 'agentsMayLaunch',
  flagSets: 'agentsMayLaunch',
  directories: 'agentsMayLaunch',
  workflowIds: 'agentsMayLaunch',
  webhook: 'notify',
  command: 'notify',
  on: 'notify',
};
const required: ReadonlySet<string> = new Set(['name', 'cwd']);

/** The field of the draft to which a refusal refers; undefined if it is about the whole. */
export function draftFieldOf(field: string): DraftField | undefined {
  const [first = '', inner = ''] = field.split('.');
  if (first === 'provisionEnabled') return 'worktrees';
  if (first === 'grants' && inner.startsWith('hosts')) return 'allowedHosts';
  if (first === 'agentsMayLaunch' && inner.startsWith('flags')) return 'flagSets';
  const named = partOf[inner.replace(/\[.*/, '') as DraftField] === first ? inner : first;
  const name = named.replace(/\[.*/, '');
  return Object.hasOwn(draftOf(undefined), name) ? (name as DraftField) : undefined;
}

interface Saved {
  readonly workflow?: Workflow | undefined;
  /** Why agents of a new workflow are not isolated, if they would be by default; or empty. */
  readonly notIsolated?: string;
}

/**
 * Creates a workflow from a draft, or changes the fields of one that were edited. Changes that others made to
 * other fields meanwhile are kept.
 */
export async function save(draft: Draft, workflow: Workflow | undefined): Promise<Saved> {
  const given = givenBy(draft);
  if (workflow === undefined) return workflows.createWorkflow(given);
  const before = draftOf(workflow);
  const isChanged = (field: DraftField): boolean => JSON.stringify(draft[field]) !== JSON.stringify(before[field]);
  const changed = new Set(
    (Object.keys(draft) as DraftField[]).filter(isChanged).map((field) => partOf[field] ?? field),
  );
  const fields = Object.fromEntries(Object.entries(given).filter(([field]) => changed.has(field)));
  const clear = [...changed].filter((field) => !required.has(field));
  return workflows.updateWorkflow({ ...fields, workflowId: workflow.id, clear });
}
