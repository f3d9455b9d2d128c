import { z } from 'zod';
import { ownAgentId } from '#contract/agent/agent.ts';
import { Doorbell } from '#contract/doorbell.ts';
import { message } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextCursor, watchCursor } from '#contract/page.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;
const everyRole = ['implementer', 'reviewer', 'orchestrator'] as const;

export const claimDoorbells = operation({
  ...service,
  method: 'ClaimDoorbells',
  summary: 'Claims your open doorbell and returns what raised it.',
  guidance: 'take_mail claims it too. This does not take mail.',
  request: message('agent.v1.ClaimDoorbellsRequest', { agentId: [1, ...ownAgentId] }),
  response: message('agent.v1.ClaimDoorbellsResponse', {
    doorbells: [1, z.array(Doorbell), 'The claimed doorbell. Empty if none was open.'],
    briefing: [2, z.string(), 'How your role works in a review. Set only with your first doorbell of a review.'],
  }),
  access: 'write',
  idempotent: true,
  roles: everyRole,
});

export const waitForDoorbells = operation({
  ...service,
  method: 'WaitForDoorbells',
  summary: 'Waits until your doorbell rings; meanwhile nothing is typed into your pane.',
  guidance: 'Then call take_mail or claim_doorbells. Pass the cursor back.',
  request: message('agent.v1.WaitForDoorbellsRequest', { cursor: [1, ...watchCursor], agentId: [2, ...ownAgentId] }),
  response: message('agent.v1.WaitForDoorbellsResponse', {
    doorbells: [1, z.array(Doorbell), 'The open doorbell, if it is new since the cursor.'],
    cursor: [2, ...nextCursor],
  }),
  // The call notifies the agent, so nothing is typed: that changes how its doorbell rings.
  access: 'write',
  private: true,
  idempotent: true,
  roles: everyRole,
  watch: { facts: 'doorbell.' },
});
