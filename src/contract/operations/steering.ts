import { z } from 'zod';
import { agentId, changedAgent } from '#contract/agent/agent.ts';
import { Key } from '#contract/key.ts';
import { message, required, text, words } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;
/** A parent may steer its children, an orchestrator any agent. */
const everyRole = ['implementer', 'reviewer', 'orchestrator'] as const;
/** How many keys one answer may have. */
const maxKeys = 20;

export const promptAgent = operation({
  ...service,
  method: 'PromptAgent',
  summary: 'Types a prompt into an agent’s pane, submits it and checks that it was accepted.',
  guidance:
    'For an orchestrator, and for a parent to its own child, if that has no more rights. ' +
    'failed_precondition: nothing was typed, because the ' +
    'agent waits for a person, is scrolled, has a draft, has ended, or may not be ready. A working CLI may queue ' +
    'it for its next turn. aborted: typed but not accepted; look at the pane first.',
  request: message('agent.v1.PromptAgentRequest', {
    agentId: [1, ...agentId],
    prompt: [2, required(words(50_000).min(1)), 'Text to type and submit.'],
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
  summary: 'Interrupts an agent’s current turn with the key of its CLI.',
  guidance:
    'For an orchestrator, and for a parent to its own child. failed_precondition unless it is in AGENT_STATE_THINKING.',
  request: message('agent.v1.InterruptAgentRequest', { agentId: [1, ...agentId] }),
  response: message('agent.v1.InterruptAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  asks: true,
  idempotent: false,
  roles: everyRole,
  peopleOnly: { fields: [], guidance: 'A person answers its questions.' },
});

export const answerAgent = operation({
  ...service,
  method: 'AnswerAgent',
  summary: 'Answers an agent’s question with text or keys, only at the screen that the person saw.',
  guidance:
    'screenDigest is the one that read_pane returned with the screen; if the screen has changed since, nothing is ' +
    'typed (aborted). text is typed first, then keys are pressed, unless the question has changed by then, each once the screen ' +
    'shows the effect of the one before: digits, letters a to z, ' +
    'Enter, Escape, Tab, BTab, Space, BSpace, Delete, Up, Down, Left, Right, Home, End, PageUp, PageDown, C-a to C-z.',
  request: message('agent.v1.AnswerAgentRequest', {
    agentId: [1, ...agentId],
    screenDigest: [2, required(z.string().min(1)), 'The screen to answer, from read_pane.'],
    keys: [3, z.array(Key).max(maxKeys), 'Keys to press, in order. Enter sends the text.'],
    text: [4, text(1_000), 'A line to type first, such as a name or a password. Unset: none. It is not stored.'],
  }),
  response: message('agent.v1.AnswerAgentResponse', {
    agent: [1, ...changedAgent],
    screenDigest: [2, z.string(), 'Identifies the resulting screen.'],
    sameQuestion: [3, z.boolean(), 'Whether that still shows the same question, with another choice or other input.'],
  }),
  takesSecret: true,
  access: 'write',
  idempotent: false,
  roles: [],
});
