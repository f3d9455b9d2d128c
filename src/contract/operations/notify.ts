import { z } from 'zod';
import { Notify } from '#contract/fact/notify.ts';
import { message } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

const service = { package: 'fact.v1', service: 'FactService', roles: [] } as const;

export const getNotify = operation({
  ...service,
  method: 'GetNotify',
  summary: 'Returns who is notified when an agent starts to wait, fails or finishes.',
  guidance: 'A workflow may have a webhook and a command of its own in addition.',
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
    '{event, text, at, seq, agent}, and is tried up to five times. A command runs once, with MUSTER_EVENT, MUSTER_TEXT, MUSTER_AGENT_ID, ' +
    'MUSTER_AGENT_NAME, MUSTER_AGENT_STATE and the whole object as MUSTER_NOTICE in its environment.',
  request: message('fact.v1.UpdateNotifyRequest', {
    notify: [1, Notify, 'The whole setting. An omitted field is cleared.'],
  }),
  response: message('fact.v1.UpdateNotifyResponse', { notify: [1, Notify, 'The new setting.'] }),
  takesSecret: true,
  access: 'write',
  idempotent: true,
  secret: true,
});

export const testNotify = operation({
  ...service,
  method: 'TestNotify',
  summary: 'Sends a test notice and returns the results.',
  guidance: 'With workflowId it tests that workflow’s own webhook and command, else the person’s.',
  request: message('fact.v1.TestNotifyRequest', {
    workflowId: [1, z.string(), 'Test this workflow’s own webhook and command. Unset: the person’s.'],
  }),
  response: message('fact.v1.TestNotifyResponse', {
    results: [
      1,
      z.array(
        message('fact.v1.NotifyResult', {
          through: [1, z.string(), '`webhook` or `command`.'],
          failure: [2, z.string(), 'Why it failed. Empty if it succeeded.'],
        }),
      ),
      'The result of each.',
    ],
  }),
  access: 'write',
  idempotent: false,
});
