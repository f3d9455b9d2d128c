import { errorLineOf } from './error-line.ts';

/** How something failed, and what was written meanwhile: a script's output, or the screen of a CLI. */
export interface Account {
  readonly summary: string;
  readonly output: string;
}

/** The detail behind the reason of an agent that something failed for. */
export interface AgentFault {
  /** The reason that it belongs to: one that is given later has nothing to do with it. */
  readonly of: string;
  /** The reason without what was written. */
  readonly summary: string;
  /** The line of what was written that says most about why; empty if none does. */
  readonly line: string;
  readonly output: string;
}

/** What an account of a failure adds to its reason; undefined if there is none. */
export function faultOf(reason: string, account: Account | undefined): AgentFault | undefined {
  if (account === undefined) return undefined;
  const { summary, output } = account;
  return { of: reason, summary, line: errorLineOf(output), output };
}
