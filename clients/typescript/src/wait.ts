import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CallOptions, Client } from '@connectrpc/connect';
import type {
  AgentService,
  AwaitedAgent,
  Doorbell,
  WaitForAgentsRequestSchema,
  WaitForDoorbellsRequestSchema,
} from '../generated/agent/v1/agent_pb.js';
import { MusterError } from './muster-error.ts';

type Agents = Pick<Client<typeof AgentService>, 'waitForAgents' | 'waitForDoorbells'>;

/**
 * Waits until agents finish a turn, end, fail, wait for a person or are gone, also across restarts of muster, and returns
 * the outcome of each.
 * @throws MusterError when muster refuses, or with the code `canceled` when the signal aborts
 */
export async function waitForAgents(
  agents: Agents,
  request: MessageInitShape<typeof WaitForAgentsRequestSchema>,
  options?: Pick<CallOptions, 'signal'>,
): Promise<AwaitedAgent[]> {
  for await (const { agents: awaited } of agents.waitForAgents(request, options)) {
    if (awaited.length > 0) return awaited;
  }
  throw cancelled();
}

/**
 * Waits until the agent’s doorbell rings, and returns what raised it. Meanwhile muster types nothing into its pane.
 * @throws MusterError when muster refuses, or with the code `canceled` when the signal aborts
 */
export async function waitForDoorbell(
  agents: Agents,
  request: MessageInitShape<typeof WaitForDoorbellsRequestSchema> = {},
  options?: Pick<CallOptions, 'signal'>,
): Promise<Doorbell> {
  for await (const { doorbells } of agents.waitForDoorbells(request, options)) {
    const [doorbell] = doorbells;
    if (doorbell !== undefined) return doorbell;
  }
  throw cancelled();
}

function cancelled(): MusterError {
  return new MusterError('The wait was cancelled', { code: 'canceled', reason: '' });
}
