import { z } from 'zod';
import { Agent, agentId } from '#contract/agent/agent.ts';
import { AgentState } from '#contract/agent/agent-state.ts';
import { message, required } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextCursor, View } from '#contract/page.ts';
import {
  AgentMove,
  ExplanationSource,
  LostRule,
  PaneInput,
  PaneReading,
  PaneScreen,
  RuleSet,
} from '#contract/pane/pane.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;
const everyRole = ['implementer', 'reviewer', 'orchestrator'] as const;

export const explainAgent = operation({
  ...service,
  method: 'ExplainAgent',
  summary:
    'Says why an agent is in its state: the rule, its evidence, rules that did not decide, the last 100 transitions.',
  guidance:
    'For an agent only about itself. EXPLANATION_SOURCE_LIVE: the pane was just read; else this is the last ' +
    'transition on record, and sourceReason says why.',
  request: message('agent.v1.ExplainAgentRequest', {
    agentId: [1, ...agentId],
    view: [2, View, 'VIEW_FULL adds the end of its screen to each transition. Unset: without screens.'],
  }),
  response: message('agent.v1.ExplainAgentResponse', {
    agent: [1, Agent, 'The agent whose state is explained.'],
    source: [2, ExplanationSource, 'Whether this comes from the pane or from the record.'],
    sourceReason: [3, z.string(), 'Why the pane was not read. Empty if it was.'],
    readAt: [4, z.string(), 'When the pane was read, or the transition was recorded: RFC 3339, UTC.'],
    reading: [5, PaneReading, 'What was read from the screen, and by which rule.'],
    lost: [6, z.array(LostRule), 'Rules that matched, or failed by one condition, and did not decide.'],
    rules: [7, RuleSet, 'The rules that read its screen.'],
    difference: [8, z.string(), 'Why the agent’s state is not yet the one read from its pane. Empty if it is.'],
    moves: [9, z.array(AgentMove), 'Its last transitions, newest first, at most 100.'],
    decidedBeyond: [
      10,
      z.string(),
      'What decided its state instead of the screen alone, such as a row that keeps changing or a report of its CLI. Empty if the screen decided.',
    ],
  }),
  access: 'read',
  idempotent: true,
  roles: everyRole,
});

export const readPane = operation({
  ...service,
  method: 'ReadPane',
  summary: 'Returns what an agent’s pane shows now: its text, its title, and the state read from it.',
  guidance:
    'For an orchestrator, and for a parent about its own child. attributes adds colours and the like as SGR escape ' +
    'sequences. Pass screenDigest to answer_agent, which then answers only this screen.',
  request: message('agent.v1.ReadPaneRequest', {
    agentId: [1, ...agentId],
    attributes: [2, z.boolean(), 'Whether to include colours and the like as SGR escape sequences.'],
  }),
  response: message('agent.v1.ReadPaneResponse', {
    screen: [1, PaneScreen, 'What the pane shows now.'],
    screenDigest: [2, z.string(), 'Identifies this screen for answer_agent.'],
    reading: [3, PaneReading, 'What was read from the screen, and by which rule.'],
    state: [4, AgentState, 'The agent’s state in lists, which follows the reading.'],
    readAt: [5, z.string(), 'When the pane was read: RFC 3339, UTC.'],
  }),
  access: 'read',
  idempotent: true,
  roles: everyRole,
});

export const watchPane = operation({
  ...service,
  method: 'WatchPane',
  summary: 'Streams what an agent’s pane shows: its whole screen, first and after each change.',
  guidance:
    'Screens include colours as SGR escape sequences. There are at most about ten a second, so intermediate screens may be ' +
    'skipped. cursor is that of the last screen that you have. Ends with failed_precondition if the agent has no window.',
  request: message('agent.v1.WatchPaneRequest', {
    agentId: [1, ...agentId],
    cursor: [2, z.string(), 'cursor of the last answer. Unset: you have no screen yet.'],
  }),
  response: message('agent.v1.WatchPaneResponse', {
    screen: [
      1,
      PaneScreen,
      'The whole screen, with SGR escape sequences. Unset if it has not changed since the cursor.',
    ],
    screenDigest: [2, z.string(), 'Identifies this screen for answer_agent.'],
    reading: [3, PaneReading, 'What was read from the screen, and by which rule.'],
    readAt: [4, z.string(), 'When the pane was read: RFC 3339, UTC.'],
    cursor: [5, ...nextCursor],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
  watch: { bell: 'pane' },
});

/** How many pieces of input one call may have. */
const maxInputs = 200;

export const typeInPane = operation({
  ...service,
  method: 'TypeInPane',
  summary: 'Types a person’s input into the pane of an agent that they hold, without checking the screen first.',
  guidance:
    'Only while hold_agent holds the agent, so that nobody else types (else failed_precondition). Each input is one ' +
    'of text, key and paste. Calls are typed in order of arrival: send the next one when the last was answered.',
  request: message('agent.v1.TypeInPaneRequest', {
    agentId: [1, ...agentId],
    inputs: [
      2,
      required(z.array(PaneInput).min(1).max(maxInputs)),
      'What to type, in order: at most 200 pieces, each one of text, key and paste.',
    ],
  }),
  response: message('agent.v1.TypeInPaneResponse', {}),
  takesSecret: true,
  access: 'write',
  idempotent: false,
  private: true,
  roles: [],
});
