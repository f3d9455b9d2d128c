import type { CallOptions, Client, Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { AgentService, type AwaitedAgent, type Doorbell } from '../generated/agent/v1/agent_pb.js';
import { FactService } from '../generated/fact/v1/fact_pb.js';
import { ForgeService } from '../generated/forge/v1/forge_pb.js';
import { HostService } from '../generated/host/v1/host_pb.js';
import { ProfileService } from '../generated/profile/v1/profile_pb.js';
import { ScheduleService } from '../generated/schedule/v1/schedule_pb.js';
import { SessionService } from '../generated/session/v1/session_pb.js';
import { WorkflowService } from '../generated/workflow/v1/workflow_pb.js';
import type { OnLost } from './follow.ts';
import { readableRefusals } from './readable-refusals.ts';
import { serviceClient } from './service-client.ts';
import { waitForAgents, waitForDoorbell } from './wait.ts';

/** Where muster is, and how to call it. */
export interface MusterOptions {
  /** The address of a gateway, such as `http://127.0.0.1:7433`. */
  readonly url: string;
  /** The operator’s token or an agent’s. */
  readonly token: string;
  /** Gets the error whenever a watch loses its connection, and undefined once it is back. */
  readonly onLost?: OnLost;
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** A typed client of every operation. Each method of a service is an operation of docs/reference. */
export interface Muster {
  readonly agents: Client<typeof AgentService>;
  readonly facts: Client<typeof FactService>;
  readonly forges: Client<typeof ForgeService>;
  readonly hosts: Client<typeof HostService>;
  readonly profiles: Client<typeof ProfileService>;
  readonly schedules: Client<typeof ScheduleService>;
  readonly sessions: Client<typeof SessionService>;
  readonly workflows: Client<typeof WorkflowService>;
  /**
   * Waits until agents finish a turn, end, fail, wait for a person or are gone, also across restarts of muster.
   * @throws MusterError when muster refuses, or with the code `canceled` when the signal aborts
   */
  waitForAgents(
    request: Parameters<typeof waitForAgents>[1],
    options?: Pick<CallOptions, 'signal'>,
  ): Promise<AwaitedAgent[]>;
  /**
   * Waits until an agent’s doorbell rings.
   * @throws MusterError when muster refuses, or with the code `canceled` when the signal aborts
   */
  waitForDoorbell(
    request?: Parameters<typeof waitForDoorbell>[1],
    options?: Pick<CallOptions, 'signal'>,
  ): Promise<Doorbell>;
}

/** A client of the muster at an address. Nothing is sent before the first call. */
export function createMuster({ url, token, onLost, fetch = globalThis.fetch }: MusterOptions): Muster {
  const authorize: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${token}`);
    return next(request);
  };
  const transport = createConnectTransport({
    baseUrl: url.replace(/\/+$/, ''),
    useBinaryFormat: true,
    interceptors: [authorize],
    fetch: readableRefusals(fetch),
  });
  const agents = serviceClient(AgentService, transport, onLost);
  return {
    agents,
    facts: serviceClient(FactService, transport, onLost),
    forges: serviceClient(ForgeService, transport, onLost),
    hosts: serviceClient(HostService, transport, onLost),
    profiles: serviceClient(ProfileService, transport, onLost),
    schedules: serviceClient(ScheduleService, transport, onLost),
    sessions: serviceClient(SessionService, transport, onLost),
    workflows: serviceClient(WorkflowService, transport, onLost),
    waitForAgents: (request, options) => waitForAgents(agents, request, options),
    waitForDoorbell: (request, options) => waitForDoorbell(agents, request, options),
  };
}
