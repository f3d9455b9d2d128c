import type { AgentState } from '#contract/agent/agent-state.ts';
import type { CheckoutDiff } from '#contract/agent/agent-view.ts';
import type { Reading } from '#contract/pane/reading.ts';
import type { Sighting } from '#contract/pane/sighting.ts';
import type { WorkflowScripts } from '#contract/workflow.ts';
import { contextReader } from '#machines/context-reader.ts';
import type { Account, AgentFault } from './agent-fault.ts';

/** The steps of a launch and of a clean-up that can fail. */
export type AgentStep =
  | 'provisioning'
  | 'preparing'
  | 'opening'
  | 'briefing'
  | 'inspecting'
  | 'closing'
  | 'tearing down'
  | 'removing';

/** The worktree that was provisioned for the agent. */
export interface Worktree {
  /** The git directory that all worktrees of the repository share: the folder it was made from may be one that goes. */
  readonly repository: string;
  readonly path: string;
  readonly branch: string;
  readonly baseSha: string;
  /** Files that were copied in, relative to the worktree: they are not the agent's work. */
  readonly copied: readonly string[];
}

/** What git says of the agent's checkout. Absent fields could not be read. */
export interface CheckoutFacts {
  readonly branch?: string;
  readonly headSha?: string;
  readonly repositoryUrl?: string;
  readonly sequenceInProgress?: boolean;
  /** Of its own worktree, when that was last measured; absent if nothing differs. */
  readonly diff?: CheckoutDiff;
}

/** What the agent's CLI said of itself, and when, in milliseconds since 1970. */
export interface Report {
  readonly reason: string;
  readonly at: number;
  /** Whether its pane has not shown yet what it says; absent where it has, or the report says nothing of the kind. */
  readonly open?: boolean | undefined;
}

/** The CLI's own conversation, and when it was reported; 0 if it was chosen by whoever started the CLI. */
export interface Session {
  readonly id: string;
  readonly at: number;
}

/**
 * A script of a workflow: before the CLI starts, before the worktree goes, whenever it comes to rest, whenever it
 * begins to wait.
 */
export type AgentScript = keyof WorkflowScripts;

/** What an agent may be when it is to be deleted, and is again if that is refused. */
export type DeletedFrom =
  | 'settingUp'
  | 'failedToCreate'
  | 'live'
  | 'dormant'
  | 'archiving'
  | 'archived'
  | 'failedToCleanup';

/** What an agent's machine is born with. */
export interface AgentInput {
  readonly name: string;
  /** Whether its own worktree is made. */
  readonly provision: boolean;
  /** Which scripts its workflow has for it. */
  readonly scripts: readonly AgentScript[];
}

/** What an agent's machine remembers: only what its decisions and its row need. */
export interface AgentContext extends AgentInput {
  /** The name it was created with, which its worktree and branch are named after. */
  readonly firstName: string;
  readonly state: AgentState;
  /** Why the state is what it is; empty if there is nothing to add. */
  readonly reason: string;
  /** What its screen asks a person, on one line, when it was last read; empty or absent if it asks nothing. */
  readonly asked?: string | undefined;
  /** Whether a text that was not sent stood in its composer when its screen was last read. */
  readonly drafted?: boolean | undefined;
  /** Whether its CLI says that it asks a person, while its screen shows no question. */
  readonly asksUnseen?: boolean | undefined;
  /** Whether its CLI has stood since its start on a screen that is not known, and people were notified. */
  readonly stuck?: boolean | undefined;
  /** Whether the reason is a doubt about the pane, until the pane is read again. */
  readonly doubted?: boolean;
  /** The step that failed, until a retry gets past it. */
  readonly failedStep?: AgentStep | undefined;
  readonly worktree?: Worktree | undefined;
  /** Whether the setup script has ended well. */
  readonly prepared: boolean;
  /** Whether a person gave it up with its host: what ran there may still run. */
  readonly abandoned?: boolean;
  readonly worktreeRemoved: boolean;
  readonly checkout: CheckoutFacts;
  readonly paneId?: string | undefined;
  /** The version of the CLI in its window; undefined if it said none. */
  readonly harnessVersion?: string | undefined;
  /** The newest report of the CLI in its window. */
  readonly report?: Report | undefined;
  /** The conversation that a new window takes up again. */
  readonly session?: Session | undefined;
  /** Whether its CLI has accepted the briefing, so that a new window resumes and is not briefed again. */
  readonly briefed: boolean;
  /**
   * Whether a person or an orchestrator has hidden it; so it stays until it is restored. An archiving that fails does
   * not hide it: its CLI may run on.
   */
  readonly archived: boolean;
  /** Which clean-up is in progress or failed. */
  readonly cleanup?: 'archive' | 'delete' | undefined;
  /** When its CLI was found to have ended, and whether that was with its terminal; until it has another window. */
  readonly ended?: { readonly at: number; readonly lost: boolean } | undefined;
  /** What it was when it was to be deleted, and what of it that overwrote. */
  readonly deleted?: { readonly from: DeletedFrom; readonly cleanup: AgentContext['cleanup'] } | undefined;
  /** Why its deletion was refused, until something else becomes of it. */
  readonly refused?: string | undefined;
  /** The detail behind the reason, if something failed. */
  readonly fault?: AgentFault | undefined;
  /** Whether the clean-up removes also what would be lost. */
  readonly force: boolean;
  /** Where the last snapshot of a removed worktree is kept. */
  readonly kept?: string | undefined;
  /** The last state that its pane decided and that was not in doubt: what moves on from it is news. */
  readonly decided?: AgentState | undefined;
  /** How many turns it has finished; undefined if it was briefed before turns were counted. */
  readonly turns?: number | undefined;
  /** Whether it was seen at work since it last came to rest. */
  readonly inTurn?: boolean | undefined;
  /** Since when a person holds it, in milliseconds since 1970: muster types nothing then, and runs no script. */
  readonly heldAt?: number | undefined;
  /** Why its turn goes on although it is held; empty if it does not. */
  readonly unstopped?: string | undefined;
  /** What its host is waited for with, while that cannot be reached. */
  readonly away?: Away | undefined;
}

/** Reads what an agent's machine remembers off a stored snapshot. */
export const readAgentContext = contextReader<AgentContext>('agent', {
  name: ['string'],
  firstName: ['string'],
  provision: ['boolean'],
  scripts: ['object'],
  state: ['string'],
  reason: ['string'],
  prepared: ['boolean'],
  worktreeRemoved: ['boolean'],
  checkout: ['object'],
  briefed: ['boolean'],
  archived: ['boolean'],
  force: ['boolean'],
});

/** A host that cannot be reached, for the steps that wait for it. */
export interface Away {
  /** The host's name. */
  readonly host: string;
  /** When it was last heard, as in its row (RFC 3339). */
  readonly since: string;
  /** What was left of each step's limit then, by name, in milliseconds: it continues once the host is back. */
  readonly left: Readonly<Record<string, number>>;
}

/**
 * A reading as the machine receives it: `reason` is the whole text that is shown beside the state, `asked` what the
 * screen asks where it waits.
 */
export type ReportedReading = Pick<Reading, 'state' | 'reason'> & {
  readonly asked?: string | undefined;
  /** Whether a text that was not sent is in its composer. */
  readonly drafted?: boolean | undefined;
  /** Whether the CLI says that it asks a person, while the screen shows no question. */
  readonly asksUnseen?: boolean | undefined;
  /** Whether the CLI has stood since its start on a screen that is not known, for long enough to notify people. */
  readonly stuck?: boolean | undefined;
};

/**
 * What a pane showed when something was reported about it. Machines ignore it: it is stored with the transition that it
 * causes.
 */
interface Seen {
  readonly sighting?: Sighting | undefined;
}

/** What an agent's machine must know of a launch that was taken from its workflow again. */
export interface FreshLaunch {
  /** Which scripts its workflow has for it now. */
  readonly scripts: readonly AgentScript[];
  /** Whether the setup script is another one, and whether other files are copied into the worktree. */
  readonly setup: boolean;
  readonly copies: boolean;
}

/** Everything that can happen to an agent. */
export type AgentEvent =
  // what people and agents ask for
  /** `fresh`: it continues with what its workflow says now. */
  | { readonly type: 'RETRY'; readonly fresh?: FreshLaunch }
  | { readonly type: 'ARCHIVE' }
  | { readonly type: 'RESTORE' }
  | { readonly type: 'DELETE'; readonly force: boolean }
  /** Its host is lost for good: its record ends, and none of it is closed or removed. */
  | { readonly type: 'ABANDON' }
  | { readonly type: 'RENAME'; readonly name: string }
  /** `at`: milliseconds since 1970. */
  | { readonly type: 'HOLD'; readonly at: number }
  | { readonly type: 'UNHOLD' }
  // what happens to its host
  | ({ readonly type: 'HOST_LOST' } & Away)
  | { readonly type: 'HOST_BACK' }
  // what happened to an effect
  | { readonly type: 'WORKTREE_READY'; readonly worktree: Worktree }
  | { readonly type: 'SETUP_DONE' }
  /** `sessionId`: the conversation that its CLI was started with or resumed. */
  /** `harnessVersion`: what the CLI that was started says its version is. */
  | {
      readonly type: 'WINDOW_OPENED';
      readonly paneId: string;
      readonly sessionId?: string;
      readonly harnessVersion?: string;
    }
  | ({ readonly type: 'BRIEFED'; readonly reading: ReportedReading } & Seen)
  | { readonly type: 'WORKTREE_INSPECTED' }
  | { readonly type: 'PANE_CLOSED' }
  | { readonly type: 'TEARDOWN_DONE' }
  /** A held agent's turn could not be ended. */
  | { readonly type: 'UNSTOPPED'; readonly reason: string }
  /** `kept`: the ref that a last snapshot of what was saved nowhere else is kept under. */
  | { readonly type: 'WORKTREE_REMOVED'; readonly kept?: string }
  | {
      readonly type: 'STEP_FAILED';
      readonly step: AgentStep;
      readonly reason: string;
      readonly account?: Account | undefined;
    }
  // what is seen
  | ({ readonly type: 'READING'; readonly reading: ReportedReading } & Seen)
  | { readonly type: 'REPORTED'; readonly report: Report; readonly session?: Session }
  | { readonly type: 'CHECKOUT_READ'; readonly checkout: CheckoutFacts; readonly worktreeGone: boolean }
  /** It is unknown whether the pane is alive; the state stays what it was. */
  | { readonly type: 'DOUBTED'; readonly reason: string }
  /** `briefed`: the briefing had been submitted by then, whether or not that was noted. */
  | ({
      readonly type: 'PANE_GONE';
      readonly reason: string;
      readonly briefed: boolean;
      readonly account?: Account | undefined;
      /** When that was found, in milliseconds since 1970. */
      readonly at?: number | undefined;
      /** Whether it ended with its terminal, and not on its own. */
      readonly lost?: boolean | undefined;
    } & Seen)
  | { readonly type: 'DEADLINE'; readonly name: string };
