import { errorLineOf } from './error-line.ts';

/** How something failed, with the output of a script or the screen of a CLI. */
export interface FailureReport {
  readonly summary: string;
  readonly output: string;
}

/** The details of a failure that is the reason for an agent's state. */
export interface AgentFault {
  /** The reason that it belongs to. It does not apply to a later reason. */
  readonly of: string;
  /** The reason without output. */
  readonly summary: string;
  /** The most informative line of the output; empty if there is none. */
  readonly line: string;
  readonly output: string;
}

/** The details of a failure; undefined if none were recorded. */
export function faultOf(reason: string, account: FailureReport | undefined): AgentFault | undefined {
  if (account === undefined) return undefined;
  const { summary, output } = account;
  return { of: reason, summary, line: errorLineOf(output), output };
}
