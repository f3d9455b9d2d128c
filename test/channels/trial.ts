import type { FailureCode } from '#contract/reason/failure-code.ts';
import type { RegistryFixture } from '#test/registry/registry-fixture.ts';

/** How an operation is tried over every channel. The agent that it is about has its CLI at work in a pane. */
export interface Trial {
  /** A request about an agent. */
  request(agentId: string): object;
  /** What must be so before the request is answered; gives what the request says beyond that. */
  prepare?(fixture: RegistryFixture, agentId: string): Promise<object>;
  /** Sets right what a call leaves, which would be in the way of others. */
  recover?(fixture: RegistryFixture): Promise<void>;
  /** Whether the agent is not what it was afterwards, so that each call needs one of its own. */
  readonly endsAgent?: true;
  /** Whether a request that names nothing ends the token of whoever asks, so that it is not tried. */
  readonly endsCaller?: true;
  /** A valid request that is refused for the current state. */
  readonly refused?: { readonly request: object; readonly code: FailureCode };
}
