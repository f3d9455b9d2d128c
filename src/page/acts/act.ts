import { agents } from '#page/api/clients.ts';
import { type Agent, AgentState } from '#page/client/agent/v1/agent_pb.js';

/** The answer to an act; `givenUp` describes what was abandoned with the agent. */
interface Answer {
  readonly agent?: Agent | undefined;
  readonly givenUp?: readonly string[];
}

/** An action on an agent, with its key. */
export interface Act {
  readonly name: string;
  readonly label: string;
  readonly key: string;
  /** The result, as a continuation of the agent's name. */
  readonly done: string;
  /** `workflowUpdatedAt`: when the agent's workflow last changed; empty if unknown. */
  isFor(agent: Agent, workflowUpdatedAt: string): boolean;
  call(agentId: string): Promise<Answer>;
  /** The question before an act that cannot be undone; undefined if it can. */
  readonly confirm?: { readonly question: string; readonly what: string };
}

const isArchived = ({ archivedAt }: Agent): boolean => archivedAt !== '';
const isHeld = ({ heldAt }: Agent): boolean => heldAt !== '';
const failed: ReadonlySet<AgentState> = new Set([AgentState.FAILED_TO_CREATE, AgentState.FAILED_TO_CLEANUP]);

/** States in which there is no session to resume yet. */
const neverRan: ReadonlySet<AgentState> = new Set([AgentState.SETTING_UP, AgentState.FAILED_TO_CREATE]);

/** The acts that need no more than an agent, in the order in which they are offered. */
export const acts: readonly Act[] = [
  {
    name: 'interrupt',
    label: 'Interrupt',
    key: 'i',
    done: 'is interrupted',
    isFor: ({ state, alive }) => alive && state === AgentState.THINKING,
    call: (agentId) => agents.interruptAgent({ agentId }),
  },
  {
    name: 'hold',
    label: 'Hold',
    key: 'h',
    done: 'is held: muster leaves it alone',
    isFor: (agent) => agent.alive && !isHeld(agent) && agent.state !== AgentState.SETTING_UP,
    call: (agentId) => agents.holdAgent({ agentId }),
  },
  {
    name: 'unhold',
    label: 'Give back',
    key: 'h',
    done: 'is given back',
    isFor: (agent) => isHeld(agent) && !isArchived(agent),
    call: (agentId) => agents.unholdAgent({ agentId }),
  },
  {
    name: 'unpark',
    label: 'End parking',
    key: 'u',
    done: 'is not parked',
    isFor: ({ park }) => park !== undefined,
    call: (agentId) => agents.unparkAgent({ agentId }),
  },
  {
    name: 'no-resume',
    label: 'Do not continue',
    key: 'n',
    done: 'is not asked to continue when its limit ends',
    isFor: ({ park }) => park?.resume === true,
    call: (agentId) => agents.parkAgent({ agentId, resume: false }),
  },
  {
    name: 'retry',
    label: 'Retry',
    key: 't',
    done: 'is being retried',
    isFor: ({ state }) => failed.has(state),
    call: (agentId) => agents.retryAgent({ agentId }),
  },
  {
    name: 'retry-current',
    label: 'Retry with current workflow',
    key: 'T',
    done: 'is being retried with the current settings of its workflow',
    isFor: ({ state, createdAt }, workflowUpdatedAt) =>
      failed.has(state) && workflowUpdatedAt !== '' && Date.parse(workflowUpdatedAt) > Date.parse(createdAt),
    call: (agentId) => agents.retryAgent({ agentId, withCurrentWorkflow: true }),
  },
  {
    name: 'restore',
    label: 'Restore',
    key: 'r',
    done: 'is being restored',
    isFor: (agent) => isArchived(agent) || (!agent.alive && agent.lastKnownAt === '' && !neverRan.has(agent.state)),
    call: (agentId) => agents.restoreAgent({ agentId }),
  },
  {
    name: 'archive',
    label: 'Archive',
    key: 'e',
    done: 'is being archived',
    isFor: (agent) => !isArchived(agent),
    call: (agentId) => agents.archiveAgent({ agentId }),
    confirm: {
      question: 'Archive',
      what: 'Ends its CLI and those of its children, and takes them off this list. Work, worktree and branch stay. Restore brings it back.',
    },
  },
  {
    name: 'delete',
    label: 'Delete',
    key: 'd',
    done: 'is being deleted',
    isFor: () => true,
    call: (agentId) => agents.deleteAgent({ agentId }),
    confirm: {
      question: 'Delete',
      what: 'Closes its window, runs its teardown, and removes its worktree, branch and children. If work would be lost, nothing changes, and you see why.',
    },
  },
  {
    name: 'abandon',
    label: 'Abandon',
    key: 'x',
    done: 'is abandoned',
    isFor: ({ lastKnownAt }) => lastKnownAt !== '',
    call: (agentId) => agents.deleteAgent({ agentId, abandon: true }),
    confirm: {
      question: 'Abandon',
      what: 'Its host is lost. You give up its worktree, its unmerged work and its untaken mail, and those of its children. Its terminal may still be running there: if the host returns, muster shows that terminal and does not end it.',
    },
  },
  {
    name: 'force-delete',
    label: 'Delete with unsaved work',
    key: 'D',
    done: 'is being deleted, with its unsaved work',
    isFor: ({ state, refusedDeletion }) => state === AgentState.FAILED_TO_CLEANUP || refusedDeletion !== '',
    call: (agentId) => agents.deleteAgent({ agentId, force: true }),
    confirm: {
      question: 'Delete with its unsaved work',
      what: 'Removes that work too. A last snapshot of it stays in the repository, under refs/muster/kept/.',
    },
  },
];
