import { z } from 'zod';
import { Agent } from '../agent.ts';
import { AgentState } from '../agent-state.ts';
import { message, required } from '../message.ts';
import { operation } from '../operation.ts';
import { View } from '../page.ts';
import { AgentMove, ExplanationSource, LostRule, PaneInput, PaneReading, PaneScreen, RuleSet } from '../pane.ts';

const agentId = required(z.string().min(1));
const service = { package: 'agent.v1', service: 'AgentService' } as const;
const everyRole = ['implementer', 'reviewer', 'orchestrator'] as const;

export const explainAgent = operation({
  ...service,
  method: 'ExplainAgent',
  summary: 'Says why an agent is in its state: the rule, its evidence, the rules that lost, and its last 100 moves.',
  guidance:
    'For an agent only about itself. With EXPLANATION_SOURCE_LIVE the pane was read just now; else it is the last ' +
    'move on record, and sourceReason says why. VIEW_FULL adds to each move the end of its screen.',
  request: message('agent.v1.ExplainAgentRequest', { agentId: [1, agentId], view: [2, View] }),
  response: message('agent.v1.ExplainAgentResponse', {
    agent: [1, Agent],
    source: [2, ExplanationSource],
    /** Why the pane was not read. */
    sourceReason: [3, z.string()],
    /** When the pane was read, or the move was written down. */
    readAt: [4, z.string()],
    reading: [5, PaneReading],
    lost: [6, z.array(LostRule)],
    rules: [7, RuleSet],
    /** Why the agent's state is not yet the one that its pane reads as; empty where it is. */
    difference: [8, z.string()],
    /** Newest first. */
    moves: [9, z.array(AgentMove)],
  }),
  access: 'read',
  idempotent: true,
  roles: everyRole,
});

export const readPane = operation({
  ...service,
  method: 'ReadPane',
  summary: 'Shows what an agent’s pane shows now: its visible text, its title, and what it reads as.',
  guidance:
    'For an orchestrator, and for a parent of its own child. attributes adds colours and the like as SGR escape ' +
    'sequences. screenDigest names this very screen: answer_agent takes it, so that only what was seen is answered.',
  request: message('agent.v1.ReadPaneRequest', { agentId: [1, agentId], attributes: [2, z.boolean()] }),
  response: message('agent.v1.ReadPaneResponse', {
    screen: [1, PaneScreen],
    screenDigest: [2, z.string()],
    reading: [3, PaneReading],
    /** The state that is listed, which follows the reading. */
    state: [4, AgentState],
    readAt: [5, z.string()],
  }),
  access: 'read',
  idempotent: true,
  roles: everyRole,
});

export const watchPane = operation({
  ...service,
  method: 'WatchPane',
  summary: 'Streams what an agent’s pane shows: its whole screen, again whenever it is another one.',
  guidance:
    'Screens come with colours, as SGR escape sequences, at most about ten a second: what a program draws between two of ' +
    'them is not shown. cursor names the last one that you have. It ends with failed_precondition where the agent has no window.',
  request: message('agent.v1.WatchPaneRequest', { agentId: [1, agentId], cursor: [2, z.string()] }),
  response: message('agent.v1.WatchPaneResponse', {
    screen: [1, PaneScreen],
    screenDigest: [2, z.string()],
    reading: [3, PaneReading],
    readAt: [4, z.string()],
    cursor: [5, z.string()],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
  watch: { bell: 'pane' },
});

/** How many pieces of input one call may bring. */
const inputsMost = 200;

export const typeInPane = operation({
  ...service,
  method: 'TypeInPane',
  summary: 'Types what a person types into the pane of an agent that they hold, as it is, without looking first.',
  guidance:
    'Only for an agent that hold_agent has taken over (failed_precondition): nobody else types there then. Each input is one ' +
    'of text, key and paste. Calls are typed in the order in which they come: send the next one when the last was answered.',
  request: message('agent.v1.TypeInPaneRequest', {
    agentId: [1, agentId],
    inputs: [2, required(z.array(PaneInput).min(1).max(inputsMost))],
  }),
  response: message('agent.v1.TypeInPaneResponse', {}),
  access: 'write',
  idempotent: false,
  private: true,
  roles: [],
});
