import { z } from 'zod';
import { agentId, changedAgent } from '#contract/agent/agent.ts';
import { Key } from '#contract/key.ts';
import { message, required, text } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;
/** A parent steers its children, an orchestrator any agent. */
const everyRole = ['implementer', 'reviewer', 'orchestrator'] as const;
/** How many keys one answer may take. */
const maxKeys = 20;

export const promptAgent = operation({
  ...service,
  method: 'PromptAgent',
  summary: 'Types a prompt into an agent’s pane, submits it and checks that it was accepted.',
  guidance:
    'For an orchestrator, and for a parent to its own child, if that has no more rights. ' +
    'failed_precondition: nothing was typed, as the ' +
    'agent waits for a person, is scrolled, has a draft, has ended, or may not be ready. A working CLI that queues ' +
    'prompts takes it for its next turn. aborted: typed but not accepted; look at the pane first.',
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
  summary: 'Ends an agent’s current turn, by the key of its CLI.',
  guidance:
    'For an orchestrator, and for a parent to its own child. failed_precondition unless it is in AGENT_STATE_THINKING: a ' +
    'person answers its questions.',
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
  summary: 'Answers what an agent waits for, by a text or keys, bound to the screen that the person saw.',
  guidance:
    'screenDigest is the one that read_pane returned with the screen; if the screen has changed since, nothing is ' +
    'pressed (aborted). text is typed first, then keys are pressed unless the question has changed by then. Keys are pressed one after another, each once the one before it shows: digits, letters a to z, ' +
    'Enter, Escape, Tab, BTab, Space, BSpace, Delete, Up, Down, Left, Right, Home, End, PageUp, PageDown, C-a to C-z.',
  request: message('agent.v1.AnswerAgentRequest', {
    agentId: [1, ...agentId],
    screenDigest: [2, required(z.string().min(1)), 'The screen to answer, as read_pane named it.'],
    keys: [3, z.array(Key).max(maxKeys), 'Keys to press, in order. Enter sends a text.'],
    text: [4, text(1_000), 'A line to type first, such as a name or a password. Unset: none. It is kept nowhere.'],
  }),
  response: message('agent.v1.AnswerAgentResponse', {
    agent: [1, ...changedAgent],
    screenDigest: [2, z.string(), 'The screen that it led to.'],
    sameQuestion: [
      3,
      z.boolean(),
      'Whether it is still the same question: only its choice or what is typed has changed.',
    ],
  }),
  access: 'write',
  idempotent: false,
  roles: [],
});
