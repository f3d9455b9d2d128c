import { type Client, createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { AgentService } from '#page/client/agent/v1/agent_pb.js';
import { FactService } from '#page/client/fact/v1/fact_pb.js';
import { WorkflowService } from '#page/client/workflow/v1/workflow_pb.js';
import { callGateway } from './call-gateway.ts';
import { gunzipped } from './gunzipped.ts';

/** The transport for calls to the page's own gateway. A client that only one screen uses is in the screen's folder. */
export const transport = createConnectTransport({
  baseUrl: window.location.origin,
  useBinaryFormat: true,
  fetch: gunzipped(callGateway),
});

export const agents: Client<typeof AgentService> = createClient(AgentService, transport);
export const facts: Client<typeof FactService> = createClient(FactService, transport);
export const workflows: Client<typeof WorkflowService> = createClient(WorkflowService, transport);
