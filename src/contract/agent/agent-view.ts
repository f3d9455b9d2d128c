import type { AgentState } from './agent-state.ts';

/** A machine's snapshot as it is stored: plain data. */
export interface StoredSnapshot {
  readonly value: unknown;
  readonly context: unknown;
  /** Of the shape of its context; 0 where it is left out, as in all that were written before versions. */
  readonly version?: number | undefined;
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
  /** The worktree's path where one was provisioned. */
  readonly worktreePath: string | undefined;
  readonly worktreeRemoved: boolean;
  readonly branch: string | undefined;
  readonly headSha: string | undefined;
  readonly repositoryUrl: string | undefined;
  readonly sequenceInProgress: boolean;
  /** What its CLI last said of itself; empty where it said nothing. */
  readonly reportedReason: string;
  /** The CLI's own conversation, once it is known. */
  readonly sessionId: string | undefined;
  /** Since when a person holds it, in milliseconds since 1970. */
  readonly heldAt: number | undefined;
}
