import { z } from 'zod';
import { agentId, changedAgent } from '#contract/agent/agent.ts';
import { Key } from '../key.ts';
import { message, required, text } from '../message.ts';
import { operation } from '../operation.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;
/** A parent steers its children, an orchestrator any agent. */
const everyRole = ['implementer', 'reviewer', 'orchestrator'] as const;
/** How many keys one answer may take. */
const keysMost = 20;

export const promptAgent = operation({
  ...service,
  method: 'PromptAgent',
  summary: 'Types a prompt into an agent’s pane, submits it, and sees it taken.',
  guidance:
    'For an orchestrator, and for a parent to its own child, if no more than itself. ' +
    'failed_precondition, nothing typed, where the ' +
    'agent waits for a person, scrolls, has a draft in its composer, has ended, or is not surely ready; at work, ' +
    'a CLI that queues prompts takes it for its next turn. aborted: typed and not taken; look at the pane first.',
  request: message('agent.v1.PromptAgentRequest', {
    agentId: [1, ...agentId],
    prompt: [2, required(text(50_000).min(1)), 'Text to type and submit.'],
  }),
  response: message('agent.v1.PromptAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  asks: true,
  idempotent: false,
  roles: everyRole,
});

export const interruptAgent = operation({
  ...service,
  method: 'InterruptAgent',
  summary: 'Ends the turn that an agent is at, by the key that its CLI has for it.',
  guidance:
    'For an orchestrator, and for a parent to its own child. Only an agent in AGENT_STATE_THINKING is interrupted: a ' +
    'question is answered by a person, and a screen at rest is left alone (failed_precondition).',
  request: message('agent.v1.InterruptAgentRequest', { agentId: [1, ...agentId] }),
  response: message('agent.v1.InterruptAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  asks: true,
  idempotent: false,
  roles: everyRole,
});

export const answerAgent = operation({
  ...service,
  method: 'AnswerAgent',
  summary: 'Answers the selection that an agent waits at, by keys, bound to the screen that the person saw.',
  guidance:
    'screenDigest is the one that read_pane gave with the screen; where the screen is another one by now nothing is ' +
    'pressed (aborted). Keys are pressed one after another, each once the one before it shows: digits, letters a to z, ' +
    'Enter, Escape, Tab, BTab, Space, BSpace, Delete, Up, Down, Left, Right, Home, End, PageUp, PageDown, C-a to C-z.',
  request: message('agent.v1.AnswerAgentRequest', {
    agentId: [1, ...agentId],
    screenDigest: [2, required(z.string().min(1)), 'The screen to answer, as read_pane named it.'],
    keys: [3, required(z.array(Key).min(1).max(keysMost)), 'Keys to press, in order.'],
  }),
  response: message('agent.v1.AnswerAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  idempotent: false,
  roles: [],
});
