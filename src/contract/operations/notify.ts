import { z } from 'zod';
import { Notify } from '#contract/fact/notify.ts';
import { message } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

const service = { package: 'fact.v1', service: 'FactService', roles: [] } as const;

export const getNotify = operation({
  ...service,
  method: 'GetNotify',
  summary: 'Returns who is notified when an agent begins to wait, fails or finishes.',
  guidance: 'A workflow may name a webhook and a command of its own beside these.',
  request: message('fact.v1.GetNotifyRequest', {}),
  response: message('fact.v1.GetNotifyResponse', {
    notify: [1, Notify, 'The person’s own setting, for every workflow.'],
  }),
  access: 'read',
  idempotent: true,
  secret: true,
});

export const updateNotify = operation({
  ...service,
  method: 'UpdateNotify',
  summary: 'Sets the webhook and the command that notify the person about agents, for every workflow.',
  guidance:
    'Sets all three fields: an omitted one is cleared. A webhook gets a POST with a JSON object ' +
    '{event, text, at, seq, agent}, and is tried five times; a command finds MUSTER_EVENT, MUSTER_TEXT, MUSTER_AGENT_ID, ' +
    'MUSTER_AGENT_NAME, MUSTER_AGENT_STATE and all of it as MUSTER_NOTICE in its environment, and is run once.',
  request: message('fact.v1.UpdateNotifyRequest', {
    notify: [1, Notify, 'The whole setting: what is left out is removed.'],
  }),
  response: message('fact.v1.UpdateNotifyResponse', { notify: [1, Notify, 'The setting from now on.'] }),
  access: 'write',
  idempotent: true,
  secret: true,
});

export const testNotify = operation({
  ...service,
  method: 'TestNotify',
  summary: 'Sends a test notice at once, and returns how it went.',
  guidance: 'workflowId tries that workflow’s own webhook and command; without it the person’s are tried.',
  request: message('fact.v1.TestNotifyRequest', {
    workflowId: [1, z.string(), 'Try this workflow’s own webhook and command. Unset: the person’s.'],
  }),
  response: message('fact.v1.TestNotifyResponse', {
    results: [
      1,
      z.array(
        message('fact.v1.NotifyResult', {
          through: [1, z.string(), '`webhook` or `command`.'],
          failure: [2, z.string(), 'Why it did not arrive. Empty if it did.'],
        }),
      ),
      'How each way of notifying went.',
    ],
  }),
  access: 'write',
  idempotent: false,
});
