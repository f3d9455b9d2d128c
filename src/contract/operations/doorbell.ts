import { z } from 'zod';
import { ownAgentId } from '#contract/agent/agent.ts';
import { Doorbell } from '../doorbell.ts';
import { message } from '../message.ts';
import { operation } from '../operation.ts';
import { nextCursor, watchCursor } from '../page.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;
const everyRole = ['implementer', 'reviewer', 'orchestrator'] as const;

export const claimDoorbells = operation({
  ...service,
  method: 'ClaimDoorbells',
  summary: 'Claims your open doorbell and tells what raised it.',
  guidance: 'take_mail claims it too. Mail is not taken by this.',
  request: message('agent.v1.ClaimDoorbellsRequest', { agentId: [1, ...ownAgentId] }),
  response: message('agent.v1.ClaimDoorbellsResponse', {
    doorbells: [1, z.array(Doorbell), 'The doorbell that was claimed. Empty where none was open.'],
  }),
  access: 'write',
  idempotent: true,
  roles: everyRole,
});

export const waitForDoorbells = operation({
  ...service,
  method: 'WaitForDoorbells',
  summary: 'Waits for your doorbell: nothing is typed at you meanwhile.',
  guidance: 'Then call take_mail or claim_doorbells. Pass the cursor back.',
  request: message('agent.v1.WaitForDoorbellsRequest', { cursor: [1, ...watchCursor], agentId: [2, ...ownAgentId] }),
  response: message('agent.v1.WaitForDoorbellsResponse', {
    doorbells: [1, z.array(Doorbell), 'The open doorbell, where it is new since the cursor.'],
    cursor: [2, ...nextCursor],
  }),
  // Whoever waits is told, and what was told is not typed.
  access: 'write',
  private: true,
  idempotent: true,
  roles: everyRole,
  watch: { facts: 'doorbell.' },
});
