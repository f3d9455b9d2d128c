import { z } from 'zod';
import { agentId, changedAgent } from '#contract/agent/agent.ts';
import { AgentRow } from '#contract/agent/agent-row.ts';
import { Fact } from '#contract/fact/fact.ts';
import { message, required, text } from '../message.ts';
import { operation } from '../operation.ts';
import { nextCursor, textView, watchCursor } from '../page.ts';

const everyRole = ['implementer', 'reviewer', 'orchestrator'] as const;
const service = { package: 'agent.v1', service: 'AgentService' } as const;

export const getAgent = operation({
  ...service,
  method: 'GetAgent',
  summary: 'Returns one agent with everything that is listed of it, its prompt whole.',
  guidance: 'list_agents shows the ids.',
  request: message('agent.v1.GetAgentRequest', { agentId: [1, ...agentId] }),
  response: message('agent.v1.GetAgentResponse', {
    agent: [1, AgentRow, 'The agent as lists show it, its prompt whole.'],
  }),
  access: 'read',
  idempotent: true,
  roles: everyRole,
});

export const watchAgents = operation({
  ...service,
  method: 'WatchAgents',
  summary: 'Follows the list of agents: rows as they move, and the ids of agents that are gone.',
  guidance:
    'Without a cursor it first tells every row that is there now. Pass the last cursor to carry on, also over ' +
    'restarts. Rows that moved several times in between come once, as they are now.',
  request: message('agent.v1.WatchAgentsRequest', {
    cursor: [1, ...watchCursor],
    view: [2, ...textView],
    factKinds: [
      3,
      z.array(z.string()),
      'Kinds such as `mail.sent`, or beginnings of kinds such as `review.`. Empty: no facts.',
    ],
  }),
  response: message('agent.v1.WatchAgentsResponse', {
    agents: [1, z.array(AgentRow), 'Rows that changed, as they are now; all rows at first.'],
    goneAgentIds: [2, z.array(z.string()), 'Ids of agents that were deleted or abandoned since the cursor.'],
    cursor: [3, ...nextCursor],
    facts: [
      4,
      z.array(Fact),
      'Facts of those kinds, in the order of the log, none left out. Some that no log keeps come only while one watches.',
    ],
    factsForgotten: [
      5,
      z.boolean(),
      'Whether facts since the cursor were pruned: read anew what they may have changed.',
    ],
  }),
  access: 'read',
  idempotent: true,
  roles: everyRole,
  peopleOnly: {
    fields: ['factKinds', 'facts', 'factsForgotten'],
    guidance:
      'factKinds has facts told beside the rows, from the same cursor: kinds such as mail.sent, or beginnings such as mail. Where ' +
      'the log no longer reaches back to the cursor, factsForgotten says so, and what they may have told of is to be read anew.',
  },
  watch: { facts: 'agent.', more: 'factKinds' },
});

export const retryAgent = operation({
  ...service,
  method: 'RetryAgent',
  summary: 'Carries on with a launch or a clean-up that failed, from what stands.',
  guidance:
    'For an agent in AGENT_STATE_FAILED_TO_CREATE or AGENT_STATE_FAILED_TO_CLEANUP, after what stateReason names has ' +
    'been mended; failed_precondition in any other. An orchestrator may retry a launch that is no more than itself, and the ' +
    'archiving of agents that it launched itself; a deletion is for a person to retry.',
  request: message('agent.v1.RetryAgentRequest', { agentId: [1, ...agentId] }),
  response: message('agent.v1.RetryAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  asks: true,
  idempotent: false,
  roles: ['orchestrator'],
});

export const archiveAgent = operation({
  ...service,
  method: 'ArchiveAgent',
  summary: 'Ends an agent’s CLI and hides the agent and its children; work, worktree and branch stay.',
  guidance:
    'An orchestrator may archive only agents that it launched itself. restore_agent brings it back with its own ' +
    'conversation. Archiving an archived agent changes nothing.',
  request: message('agent.v1.ArchiveAgentRequest', { agentId: [1, ...agentId] }),
  response: message('agent.v1.ArchiveAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  asks: true,
  idempotent: true,
  roles: ['orchestrator'],
});

export const restoreAgent = operation({
  ...service,
  method: 'RestoreAgent',
  summary: 'Brings an archived or dormant agent back: a new window, the CLI’s own conversation resumed.',
  guidance: 'A child cannot be restored while its parent is archived: restore the parent first.',
  request: message('agent.v1.RestoreAgentRequest', { agentId: [1, ...agentId] }),
  response: message('agent.v1.RestoreAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  idempotent: false,
  roles: [],
});

export const deleteAgent = operation({
  ...service,
  method: 'DeleteAgent',
  summary: 'Closes the pane, runs the teardown, and removes the worktree and branch where nothing would be lost.',
  guidance:
    'Uncommitted, unpushed or otherwise unsaved work stops it: the agent goes to AGENT_STATE_FAILED_TO_CLEANUP with ' +
    'what stands in the way, and nothing is closed or removed; restore_agent takes it up again. Its token ends at once, for good. force removes it all ' +
    'the same, keeping a last snapshot in the repository under refs/muster/kept/. Its children go with it. abandon is for an agent ' +
    'whose host will never come back: its record goes, nothing is closed or removed there, and givenUp says what that leaves; refused ' +
    'while the host is heard of.',
  request: message('agent.v1.DeleteAgentRequest', {
    agentId: [1, ...agentId],
    force: [2, z.boolean(), 'Whether it is removed even where work would be lost; a last snapshot is kept.'],
    abandon: [3, z.boolean(), 'Whether it is given up with its lost host, where nothing is closed or removed.'],
  }),
  response: message('agent.v1.DeleteAgentResponse', {
    agent: [1, ...changedAgent],
    givenUp: [2, z.array(z.string()), 'What was given up with an abandoned agent, one thing a line.'],
  }),
  access: 'write',
  idempotent: true,
  destructive: true,
  roles: [],
});

export const renameAgent = operation({
  ...service,
  method: 'RenameAgent',
  summary: 'Gives an agent and its window another name.',
  guidance: 'Names are unique among agents that are not archived: a taken one is refused as already_exists.',
  request: message('agent.v1.RenameAgentRequest', {
    agentId: [1, ...agentId],
    name: [2, required(text(200).min(1)), 'Its new name, unique among agents that are not archived.'],
  }),
  response: message('agent.v1.RenameAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const markAgent = operation({
  ...service,
  method: 'MarkAgent',
  summary: 'Gives an agent the letter that a person jumps to it by, or takes it away.',
  guidance: 'One letter a to z; empty takes the mark away. A letter that another agent holds moves to this one.',
  request: message('agent.v1.MarkAgentRequest', {
    agentId: [1, ...agentId],
    mark: [
      2,
      z.string().regex(/^[a-z]?$/, 'is not one letter a to z'),
      'The letter a to z to jump to it by. Empty takes it away.',
    ],
  }),
  response: message('agent.v1.MarkAgentResponse', { agent: [1, AgentRow, 'The agent’s row after the call.'] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const issueAgentToken = operation({
  ...service,
  method: 'IssueAgentToken',
  summary: 'Makes another token for an agent, for a person who runs its CLI by hand.',
  guidance:
    'The token says who calls: whoever holds it is that agent. It ends when the agent is archived, deleted or opened in a new ' +
    'window, and once four newer ones were made. The token of the agent’s own window stays good.',
  request: message('agent.v1.IssueAgentTokenRequest', { agentId: [1, ...agentId] }),
  response: message('agent.v1.IssueAgentTokenResponse', {
    token: [1, z.string(), 'A secret: whoever holds it acts as the agent. Shown only here.'],
  }),
  access: 'write',
  idempotent: false,
  secret: true,
  roles: [],
});

export const attachAgent = operation({
  ...service,
  method: 'AttachAgent',
  summary: 'Tells where an agent’s window is: its host, which of that host’s tmux servers, and which window there.',
  guidance:
    'Run `muster attach` on the host that the answer names: it makes the command itself, for nothing that is answered is ever ' +
    'run. readOnly is taken and changes nothing here.',
  request: message('agent.v1.AttachAgentRequest', {
    agentId: [1, ...agentId],
    readOnly: [2, z.boolean(), 'Accepted, and without effect.'],
  }),
  response: message('agent.v1.AttachAgentResponse', {
    command: [1, z.array(z.string()), 'Always empty: no answer is a command to run.'],
    hostId: [2, z.string(), 'The host of its window.'],
    hostName: [3, z.string(), 'What people call that host.'],
    family: [4, z.string(), 'Id of the agent at the root of its family, which names the tmux server.'],
    windowId: [5, z.string(), 'The window as tmux numbers it, such as `@3`.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});
