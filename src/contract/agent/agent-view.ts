import type { AgentState } from './agent-state.ts';

/** A machine's snapshot as it is stored: plain data. */
export interface StoredSnapshot {
  readonly value: unknown;
  readonly context: unknown;
  /** Of the shape of its context; 0 if it is left out, as in all that were written before versions. */
  readonly version?: number | undefined;
}

/** How much a checkout differs from its base: files, and the lines of those that are no binaries. */
export interface CheckoutDiff {
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
}

/** The detail behind the reason of a failure. */
export interface ViewedFault {
  /** The reason without what was written. */
  readonly summary: string;
  /** The line of what was written that says most about why; empty if none does. */
  readonly line: string;
  readonly output: string;
}

/** What people see of an agent's machine: the row's columns that its snapshot decides. */
export interface AgentView {
  readonly name: string;
  readonly state: AgentState;
  readonly stateReason: string;
  /** What its screen asks a person, on one line; empty unless it waits. */
  readonly waitingFor: string;
  /** The machine's state in words, such as `settingUp.opening`. */
  readonly phase: string;
  readonly alive: boolean;
  readonly archived: boolean;
  readonly gone: boolean;
  /** Whether it is gone because a person gave it up with its host. */
  readonly abandoned: boolean;
  readonly paneId: string | undefined;
  /** The worktree's path if one was provisioned. */
  readonly worktreePath: string | undefined;
  readonly worktreeRemoved: boolean;
  readonly branch: string | undefined;
  readonly headSha: string | undefined;
  readonly repositoryUrl: string | undefined;
  readonly sequenceInProgress: boolean;
  /** How much its own worktree differs from its base, if it does. */
  readonly diff: CheckoutDiff | undefined;
  /** What its CLI last said of itself; empty if it said nothing. */
  readonly reportedReason: string;
  /** Whether its CLI says that it asks a person, while its screen shows no question. */
  readonly asksUnseen: boolean;
  /** The CLI's own conversation, once it is known. */
  readonly sessionId: string | undefined;
  /** What the CLI that it was started with said its version is. */
  readonly harnessVersion: string | undefined;
  /** Since when a person holds it, in milliseconds since 1970. */
  readonly heldAt: number | undefined;
  /** Why its deletion was refused, with nothing of it changed; empty if it was not. */
  readonly refusedDeletion: string;
  /** The detail of `stateReason`, if something failed and left output. */
  readonly fault: ViewedFault | undefined;
  /**
   * When its CLI was found to have ended, in milliseconds since 1970; undefined while it runs, and if that is not
   * known.
   */
  readonly endedAt: number | undefined;
  /** Whether it ended with its terminal, as after a crash of the machine, and not on its own. */
  readonly windowLost: boolean;
  /** How many turns it has finished; undefined if it was there before they were counted. */
  readonly turns: number | undefined;
}
