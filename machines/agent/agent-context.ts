import type { AgentState } from '#contract/agent/agent-state.ts';
import type { CheckoutDiff, OverBudget, ViewedEnding } from '#contract/agent/agent-view.ts';
import type { AccountLimit } from '#contract/agent/park.ts';
import type { Reading } from '#contract/pane/reading.ts';
import type { Sighting } from '#contract/pane/sighting.ts';
import type { WorkflowScripts } from '#contract/workflow.ts';
import { contextReader } from '#machines/context-reader.ts';
import type { AgentFault, FailureReport } from './agent-fault.ts';
import type { Move, MoveOptions, MovePackage } from './move.ts';
import type { AgentPark, ResumeOutcome, ShownLimit } from './parking/park.ts';
import type { WindowEnd } from './window-end.ts';
import type { Worktree } from './worktree.ts';

/** The steps of a launch and of a clean-up that can fail. */
export type AgentStep =
  | 'placing'
  | 'provisioning'
  | 'preparing'
  | 'opening'
  | 'briefing'
  | 'inspecting'
  | 'closing'
  | 'tearing down'
  | 'removing'
  | 'packing'
  | 'unpacking';

/** What git reports about the agent's checkout. Absent fields could not be read. */
export interface CheckoutFacts {
  readonly branch?: string;
  readonly headSha?: string;
  readonly repositoryUrl?: string;
  readonly sequenceInProgress?: boolean;
  /** The diff of its own worktree when last measured; absent if there is none. */
  readonly diff?: CheckoutDiff;
}

/** The last self-report of the agent's CLI, and its time in milliseconds since 1970. */
export interface Report {
  readonly reason: string;
  readonly at: number;
  /** Whether its pane has not yet shown what it reports; absent if it has, or if no pane could show it. */
  readonly open?: boolean | undefined;
}

/** The CLI's own conversation, and when it was reported; 0 if it was chosen when the CLI was started. */
export interface Session {
  readonly id: string;
  readonly at: number;
}

/**
 * A script of a workflow: it runs before the CLI starts, before the worktree is removed, whenever the agent becomes
 * idle, or whenever it begins to wait.
 */
export type AgentScript = keyof WorkflowScripts;

/** The states from which an agent may be deleted, and to which it returns if the deletion is refused. */
export type DeletedFrom =
  | 'settingUp'
  | 'failedToCreate'
  | 'live'
  | 'dormant'
  | 'archiving'
  | 'archived'
  | 'failedToCleanup';

/** The initial input of an agent's machine. */
export interface AgentInput {
  readonly name: string;
  /** Whether its own worktree is made. */
  readonly provision: boolean;
  /** Which scripts its workflow has for it. */
  readonly scripts: readonly AgentScript[];
  /** Why it waits to be placed on a host; undefined once it is placed. */
  readonly queued?: string | undefined;
}

/** The context of an agent's machine: only the fields that its decisions and its row need. */
export interface AgentContext extends AgentInput {
  /** The name it was created with, which its worktree and branch are named after. */
  readonly firstName: string;
  readonly state: AgentState;
  /** The reason for the state; empty if there is nothing to add. */
  readonly reason: string;
  /** The question on its screen when last read, on one line; empty or absent if it asks nothing. */
  readonly asked?: string | undefined;
  /** Whether its composer contained a draft when its screen was last read. */
  readonly drafted?: boolean | undefined;
  /** Whether its CLI says that it asks a person, while its screen shows no question. */
  readonly asksUnseen?: boolean | undefined;
  /** Whether its CLI has shown only an unknown screen since its start, and people were notified. */
  readonly stuck?: boolean | undefined;
  /** Whether the pane is in doubt, until it is read again. */
  readonly doubted?: boolean;
  /** The failed step, until a retry completes it. */
  readonly failedStep?: AgentStep | undefined;
  readonly worktree?: Worktree | undefined;
  /** Whether the setup script has succeeded. */
  readonly prepared: boolean;
  /** Whether a person abandoned it with its host: its processes may still run there. */
  readonly abandoned?: boolean;
  readonly worktreeRemoved: boolean;
  readonly checkout: CheckoutFacts;
  readonly paneId?: string | undefined;
  /** The version of the CLI in its window; undefined if the CLI reported none. */
  readonly harnessVersion?: string | undefined;
  /** The destinations that its isolation has refused since its window was opened, the newest last. */
  readonly refusedConnections?: readonly string[] | undefined;
  /** The newest report of the CLI in its window. */
  readonly report?: Report | undefined;
  /** The conversation that a new window resumes. */
  readonly session?: Session | undefined;
  /** Whether its CLI has accepted the briefing, so that a new window resumes and is not briefed again. */
  readonly briefed: boolean;
  /**
   * Whether a person or an orchestrator has archived it, which lasts until it is restored. A failed archive does not
   * count: its CLI may still run.
   */
  readonly archived: boolean;
  /** The clean-up that is in progress or failed. */
  readonly cleanup?: 'archive' | 'delete' | undefined;
  /** When its CLI was found to have ended, and how; kept until it has another window. */
  readonly ended?: WindowEnd | undefined;
  /** The boot of its host’s computer in which its window was opened; undefined if the system has no id for it. */
  readonly boot?: string | undefined;
  /** Whether its CLI has exited to a shell, which has its window now. */
  readonly exited?: boolean | undefined;
  /** Its state when its deletion was requested, and the fields that the deletion overwrote. */
  readonly deleted?: { readonly from: DeletedFrom; readonly cleanup: AgentContext['cleanup'] } | undefined;
  /** Why its deletion was refused, until the agent works again or gets another request. */
  readonly refused?: string | undefined;
  /** The detail behind the reason, if something failed. */
  readonly fault?: AgentFault | undefined;
  /** Whether the clean-up also removes unsaved work. */
  readonly force: boolean;
  /** Where the last snapshot of a removed worktree is kept. */
  readonly kept?: string | undefined;
  /** The last state that its pane decided without doubt: a change from it is reported. */
  readonly decided?: AgentState | undefined;
  /** How many turns it has finished; undefined if it was briefed before turns were counted. */
  readonly turns?: number | undefined;
  /** Whether it was seen at work since it was last at rest. */
  readonly inTurn?: boolean | undefined;
  /** Whether it was restored and has not been at rest since: what its CLI shows as it starts is not a turn. */
  readonly starts?: boolean | undefined;
  /** Since when a person holds it, in milliseconds since 1970: muster types nothing then, and runs no script. */
  readonly heldAt?: number | undefined;
  /** The budget that is used up, until a person continues it: muster types nothing until then. */
  readonly overBudget?: OverBudget | undefined;
  /** Why its turn continues although it is held; empty if it does not. */
  readonly unstopped?: string | undefined;
  /** The limit of its account that its screen shows, at rest or asking. */
  readonly limit?: ShownLimit | undefined;
  /** Set while it is parked. */
  readonly park?: AgentPark | undefined;
  /** Set once it was asked to continue: the end of the limit that it was asked at. Kept until it comes to rest without a limit. */
  readonly tried?: { readonly until: number } | undefined;
  /** Why its limit needs a person; undefined if it does not. */
  readonly needs?: string | undefined;
  /** Set while its host cannot be reached: the host, the start of the outage, and the rest of each limit. */
  readonly away?: UnreachableHost | undefined;
  /** Its move to another host, if it moves or is to move once it is at rest. */
  readonly move?: Move | undefined;
  /** Why its last move failed, until it is to move again. */
  readonly failedMove?: string | undefined;
}

/** Reads the context of an agent's machine from a stored snapshot. */
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
export interface UnreachableHost {
  /** The host's name. */
  readonly host: string;
  /** When it was last seen, as in its row (RFC 3339). */
  readonly since: string;
  /** The rest of each step's limit at that time, by name, in milliseconds. It continues once the host is back. */
  readonly left: Readonly<Record<string, number>>;
}

/**
 * A reading as the machine receives it: `reason` is the whole text that is shown next to the state, and `asked` is the
 * question on the screen if it waits.
 */
export type ReportedReading = Pick<Reading, 'state' | 'reason'> & {
  readonly asked?: string | undefined;
  /** Whether a text that was not sent is in its composer. */
  readonly drafted?: boolean | undefined;
  /** Whether the CLI says that it asks a person, while the screen shows no question. */
  readonly asksUnseen?: boolean | undefined;
  /** Whether the CLI has shown only an unknown screen since its start, for long enough to notify people. */
  readonly stuck?: boolean | undefined;
  /** Whether the CLI has exited, and a shell runs in its place. */
  readonly exited?: boolean | undefined;
  /** The limit of its account that the screen shows. */
  readonly limit?: AccountLimit | undefined;
};

/**
 * The screen of a pane at an event. Machines ignore it: it is stored with the transition that it
 * causes.
 */
interface ObservedEvent {
  readonly sighting?: Sighting | undefined;
}

/** The workflow's current settings, for a retry that uses them. */
export interface LaunchSettings {
  /** The agent's scripts in its workflow now. */
  readonly scripts: readonly AgentScript[];
  /** Whether the setup script has changed, and whether the list of copied files has. */
  readonly setup: boolean;
  readonly copies: boolean;
}

/** Everything that can happen to an agent. */
export type AgentEvent =
  // requests of people and agents
  /** `fresh`: it continues with the current settings of its workflow. */
  | { readonly type: 'RETRY'; readonly fresh?: LaunchSettings }
  | { readonly type: 'ARCHIVE' }
  | { readonly type: 'RESTORE' }
  | { readonly type: 'DELETE'; readonly force: boolean }
  /** Its host is lost for good: its record ends, and nothing on the host is closed or removed. */
  | { readonly type: 'ABANDON' }
  | { readonly type: 'RENAME'; readonly name: string }
  /** `at`: milliseconds since 1970. */
  | { readonly type: 'HOLD'; readonly at: number }
  | { readonly type: 'UNHOLD' }
  /** A budget that its work counts to is used up, or is no longer. */
  | { readonly type: 'BUDGET_SPENT'; readonly budget: OverBudget }
  | { readonly type: 'BUDGET_CONTINUED' }
  /** Its account is limited, or a person parks it; also if it is parked already. */
  | { readonly type: 'PARK'; readonly park: AgentPark }
  | { readonly type: 'UNPARK' }
  /** Its limit needs a person, and it is not parked any more. */
  | { readonly type: 'LEFT_LIMITED'; readonly why: string }
  | { readonly type: 'MOVE'; readonly order: MoveOptions }
  /** `gone`: a person vouches that it does not run on the lost host that it moves to. */
  | { readonly type: 'CANCEL_MOVE'; readonly gone?: true }
  // its place
  /** It waits to be placed, for another reason than before. */
  | { readonly type: 'QUEUED'; readonly reason: string }
  /** It is placed on a host, in a directory that the host has resolved. */
  | { readonly type: 'PLACED'; readonly provision: boolean; readonly scripts: readonly AgentScript[] }
  // changes of its host
  | ({ readonly type: 'HOST_LOST' } & UnreachableHost)
  | { readonly type: 'HOST_BACK' }
  // results of effects
  | { readonly type: 'WORKTREE_READY'; readonly worktree: Worktree }
  | { readonly type: 'SETUP_DONE' }
  /** Its package is complete, in one file of its host. */
  | { readonly type: 'PACKED'; readonly package: MovePackage }
  /** Its package has been unpacked on its new host. `worktree`: unset if it has none. */
  | { readonly type: 'UNPACKED'; readonly worktree?: Worktree }
  /** `sessionId`: the conversation that its CLI was started with or resumed. */
  /**
   * `harnessVersion`: the version that the started CLI reports; `versionPending`: whether it is still unknown.
   * `boot`: identifies the boot of the host’s computer.
   */
  | {
      readonly type: 'WINDOW_OPENED';
      readonly paneId: string;
      readonly sessionId?: string;
      readonly harnessVersion?: string;
      readonly versionPending?: true;
      readonly boot?: string;
    }
  /** `destination`: a host and a port, such as `example.com:443`. */
  | { readonly type: 'CONNECTION_REFUSED'; readonly destination: string }
  /** A person allows what was refused. */
  | { readonly type: 'CONNECTIONS_ALLOWED'; readonly destinations: readonly string[] }
  | { readonly type: 'VERSION_READ'; readonly paneId: string; readonly harnessVersion: string }
  | ({ readonly type: 'BRIEFED'; readonly reading: ReportedReading } & ObservedEvent)
  | { readonly type: 'WORKTREE_INSPECTED' }
  | { readonly type: 'PANE_CLOSED' }
  | { readonly type: 'TEARDOWN_DONE' }
  /** Its screen was read again, and it was asked to continue if that still showed the limit. */
  | { readonly type: 'RESUMED'; readonly outcome: ResumeOutcome; readonly why: string }
  /** A held agent's turn could not be ended. */
  | { readonly type: 'UNSTOPPED'; readonly reason: string }
  /** `kept`: the ref of a last snapshot of the work that was saved nowhere else. */
  | { readonly type: 'WORKTREE_REMOVED'; readonly kept?: string }
  | {
      readonly type: 'STEP_FAILED';
      readonly step: AgentStep;
      readonly reason: string;
      readonly account?: FailureReport | undefined;
    }
  // observations
  | ({ readonly type: 'READING'; readonly reading: ReportedReading } & ObservedEvent)
  /** Its CLI accepted what muster typed, which begins a turn. `reading`: what its screen showed next. */
  | ({ readonly type: 'PROMPTED'; readonly reading: ReportedReading } & ObservedEvent)
  | { readonly type: 'REPORTED'; readonly report: Report; readonly session?: Session }
  | { readonly type: 'CHECKOUT_READ'; readonly checkout: CheckoutFacts; readonly worktreeGone: boolean }
  /** It is unknown whether the pane is alive; the state does not change. */
  | { readonly type: 'DOUBTED'; readonly reason: string }
  /** `briefed`: the briefing was submitted before that, whether or not that was recorded. */
  | ({
      readonly type: 'PANE_GONE';
      readonly reason: string;
      readonly briefed: boolean;
      readonly account?: FailureReport | undefined;
      /** When that was found, in milliseconds since 1970. */
      readonly at?: number | undefined;
      /** Whether it ended with its terminal, and not on its own. */
      readonly lost?: boolean | undefined;
      /** How it ended; undefined if an older host does not say. */
      readonly ending?: ViewedEnding | undefined;
    } & ObservedEvent)
  | { readonly type: 'DEADLINE'; readonly name: string };
