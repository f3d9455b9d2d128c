import type { AgentState } from './agent-state.ts';

/** A machine's snapshot as it is stored: plain data. */
export interface StoredSnapshot {
  readonly value: unknown;
  readonly context: unknown;
  /** The version of its context's shape; 0 if absent, as in snapshots written before there were versions. */
  readonly version?: number | undefined;
}

/** How much a checkout differs from its base: files, and lines of text files. */
export interface CheckoutDiff {
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
}

/** Details of a failure. */
export interface ViewedFault {
  /** What failed and how, without output. */
  readonly summary: string;
  /** The line of the output that best explains the failure; empty if none does. */
  readonly line: string;
  readonly output: string;
}

/** How a CLI ended: the exit status or the signal if its process left one, or the limit that it exceeded. */
export interface ViewedEnding {
  /** `shell`: a shell runs in its place. `terminal-lost`: its terminal ended with everything in it. */
  readonly kind: 'exited' | 'killed' | 'shell' | 'window-closed' | 'terminal-lost' | 'rebooted' | 'limit';
  readonly status?: number | undefined;
  /** Such as `SIGKILL`. */
  readonly signal?: string | undefined;
  /** Such as `512 MiB of memory`. */
  readonly exceeded?: string | undefined;
}

/** A budget that is used up, so that an agent is held. */
export interface OverBudget {
  /** The id and the name of the agent, workflow or schedule. */
  readonly ownerId: string;
  readonly ownerName: string;
  readonly measure: 'turns' | 'work';
  /** Turns, or minutes at work. */
  readonly used: number;
  readonly limit: number;
  /** Since when, in milliseconds since 1970. */
  readonly at: number;
}

/** Why and until when an agent is parked. Times are in milliseconds since 1970. */
export interface ViewedPark {
  readonly reason: 'usage' | 'credential' | 'person';
  readonly since: number;
  readonly until?: number | undefined;
  readonly account?: string | undefined;
  readonly resume: boolean;
  /** The end that its screen shows, if that is too far ahead to rely on. */
  readonly shownUntil?: number | undefined;
  /** Whether no end is known, so that its screen is read again at `until`, and nothing is typed. */
  readonly endUnknown?: true | undefined;
}

/** The public view of an agent's machine: the row's columns that its snapshot decides. */
export interface AgentView {
  readonly name: string;
  readonly state: AgentState;
  readonly stateReason: string;
  /** The question on its screen, on one line; empty unless it waits. */
  readonly waitingFor: string;
  /** The path of the machine's state, such as `settingUp.opening`. */
  readonly phase: string;
  readonly alive: boolean;
  /** Whether it waits to be placed on a host. */
  readonly queued: boolean;
  readonly archived: boolean;
  readonly gone: boolean;
  /** Whether it is gone because a person abandoned it, as its host was lost. */
  readonly abandoned: boolean;
  readonly paneId: string | undefined;
  /** The worktree's path if one was provisioned. */
  readonly worktreePath: string | undefined;
  readonly worktreeRemoved: boolean;
  readonly branch: string | undefined;
  readonly headSha: string | undefined;
  readonly repositoryUrl: string | undefined;
  readonly sequenceInProgress: boolean;
  /** How much its own worktree differs from its base; undefined if it does not. */
  readonly diff: CheckoutDiff | undefined;
  /** What its CLI last reported about itself; empty if nothing. */
  readonly reportedReason: string;
  /** Whether its CLI reports a question for a person that its screen does not show. */
  readonly asksUnseen: boolean;
  /** The id of the CLI's own conversation, once known. */
  readonly sessionId: string | undefined;
  /** The version that its CLI reported at start. */
  readonly harnessVersion: string | undefined;
  /** Destinations that its isolation has refused, the newest last. */
  readonly refusedConnections: readonly string[];
  /** Since when a person has held it, in milliseconds since 1970. */
  readonly heldAt: number | undefined;
  /** The budget that is used up, so that muster types nothing to it. */
  readonly overBudget: OverBudget | undefined;
  /** Why its deletion was refused; empty if it was not. */
  readonly refusedDeletion: string;
  /** The detail of `stateReason`, if something failed and left output. */
  readonly fault: ViewedFault | undefined;
  /** When its CLI was found to have ended, in milliseconds since 1970; undefined while it runs, or if unknown. */
  readonly endedAt: number | undefined;
  /** Whether it ended because its terminal did, as after a crash of the computer. */
  readonly windowLost: boolean;
  /** How its CLI ended; undefined while it runs, or if an older host did not say. */
  readonly ending: ViewedEnding | undefined;
  /** How many turns it has finished; undefined if it is older than the count. */
  readonly turns: number | undefined;
  /** The host that it moves to, or is to move to once it is at rest; undefined if none. */
  readonly movingTo: string | undefined;
  /** Why its last move failed; empty if it did not. */
  readonly failedMove: string;
  /** Why and until when it is parked; undefined if it is not. */
  readonly park: ViewedPark | undefined;
}
