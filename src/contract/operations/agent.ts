import { z } from 'zod';
import { agentId, changedAgent } from '#contract/agent/agent.ts';
import { AgentRow } from '#contract/agent/agent-row.ts';
import { Fact } from '#contract/fact/fact.ts';
import { message, required, text } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextCursor, textView, watchCursor } from '#contract/page.ts';

const everyRole = ['implementer', 'reviewer', 'orchestrator'] as const;
const service = { package: 'agent.v1', service: 'AgentService' } as const;

export const getAgent = operation({
  ...service,
  method: 'GetAgent',
  summary: 'Returns one agent with every field of the list and its whole prompt.',
  guidance: '',
  request: message('agent.v1.GetAgentRequest', { agentId: [1, ...agentId] }),
  response: message('agent.v1.GetAgentResponse', {
    agent: [1, AgentRow, 'The agent’s row, with its whole prompt.'],
  }),
  access: 'read',
  idempotent: true,
  roles: everyRole,
  peopleOnly: { fields: [], guidance: 'list_agents shows the ids.' },
});

export const findAgent = operation({
  ...service,
  method: 'FindAgent',
  summary: 'Finds an agent by its id, name or mark, or by the beginning of its name or id.',
  guidance: 'AMBIGUOUS_NAME: several match.',
  request: message('agent.v1.FindAgentRequest', {
    called: [
      1,
      required(text(200).min(1)),
      'Its id, name or mark, or the beginning of its name or id. An id needs at least five characters. An exact match comes before ' +
        'a beginning, and the beginning of a name before that of an id.',
    ],
    archivedFirst: [2, z.boolean(), 'Whether archived agents come before others. Unset: after them.'],
  }),
  response: message('agent.v1.FindAgentResponse', {
    agent: [1, AgentRow, 'The agent’s row, with its whole prompt.'],
  }),
  access: 'read',
  idempotent: true,
  roles: everyRole,
  peopleOnly: { fields: ['archivedFirst'], guidance: 'archivedFirst is for restore_agent.' },
});

export const watchAgents = operation({
  ...service,
  method: 'WatchAgents',
  summary: 'Follows the list of agents: changed rows, and the ids of agents that are gone.',
  guidance: 'Without a cursor it first returns every current row.',
  request: message('agent.v1.WatchAgentsRequest', {
    cursor: [1, ...watchCursor],
    view: [2, ...textView],
    factKinds: [3, z.array(z.string()), 'Kinds such as `mail.sent`, or prefixes such as `review.`. Empty: no facts.'],
  }),
  response: message('agent.v1.WatchAgentsResponse', {
    agents: [1, z.array(AgentRow), 'Rows that changed, as they are now; first all rows.'],
    goneAgentIds: [2, z.array(z.string()), 'Ids of agents that were deleted or abandoned since the cursor.'],
    cursor: [3, ...nextCursor],
    facts: [
      4,
      z.array(Fact),
      'Facts of those kinds, in the order of the log, without gaps. Events that are not stored come only while you watch.',
    ],
    factsForgotten: [
      5,
      z.boolean(),
      'Whether facts since the cursor were pruned: read again whatever they may have changed.',
    ],
    more: [6, z.boolean(), 'Whether the next answer follows at once: this one does not have everything until now.'],
  }),
  access: 'read',
  idempotent: true,
  roles: everyRole,
  peopleOnly: {
    fields: ['factKinds', 'facts', 'factsForgotten'],
    guidance:
      'Pass the last cursor to continue, also across restarts. A row that changed several times is sent once, as it is now. factKinds adds facts to the rows, from the same cursor: kinds such as mail.sent, or prefixes such as mail. If ' +
      'the log no longer reaches back to the cursor, factsForgotten says so, and whatever they may have changed must be reread.',
  },
  watch: { facts: 'agent.', more: 'factKinds', shared: { rows: 'agents', facts: 'facts' } },
});

export const retryAgent = operation({
  ...service,
  method: 'RetryAgent',
  summary: 'Continues a failed launch or clean-up from what already exists.',
  guidance:
    'First fix the cause in stateReason. An orchestrator may retry a ' +
    'launch with no more rights than its own, and the archiving of agents that it launched itself.',
  request: message('agent.v1.RetryAgentRequest', {
    agentId: [1, ...agentId],
    withCurrentWorkflow: [
      2,
      z.boolean(),
      'true: with its workflow’s current scripts, copied files, variables, tools and flags. Unset: with those of its launch.',
    ],
  }),
  response: message('agent.v1.RetryAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  asks: true,
  idempotent: false,
  roles: ['orchestrator'],
  peopleOnly: { fields: [], guidance: 'failed_precondition unless a launch or clean-up failed.' },
});

export const archiveAgent = operation({
  ...service,
  method: 'ArchiveAgent',
  summary: 'Ends an agent’s CLI and hides the agent and its children; work, worktree and branch stay.',
  guidance: 'An orchestrator may archive only agents that it launched itself.',
  request: message('agent.v1.ArchiveAgentRequest', { agentId: [1, ...agentId] }),
  response: message('agent.v1.ArchiveAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  asks: true,
  idempotent: true,
  roles: ['orchestrator'],
  peopleOnly: {
    fields: [],
    guidance: 'restore_agent resumes an agent with its own conversation. Archiving an archived agent changes nothing.',
  },
});

export const restoreAgent = operation({
  ...service,
  method: 'RestoreAgent',
  summary:
    'Restores an agent that is archived or whose CLI has ended: opens a new window and resumes the CLI’s own conversation.',
  guidance: 'A child cannot be restored while its parent is archived: restore the parent first.',
  request: message('agent.v1.RestoreAgentRequest', {
    agentId: [1, ...agentId],
    inTurn: [
      2,
      z.boolean(),
      'Whether an agent that lost its window with its terminal waits until few others start on its host. The answer then shows it as it waits.',
    ],
  }),
  response: message('agent.v1.RestoreAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  idempotent: false,
  roles: [],
});

export const deleteAgent = operation({
  ...service,
  method: 'DeleteAgent',
  summary: 'Closes the pane, runs the teardown script, and removes the worktree and branch, unless work would be lost.',
  guidance:
    'If uncommitted, unpushed or otherwise unsaved work would be lost, nothing changes: the agent keeps its state, window and ' +
    'token, and refusedDeletion says what would be lost. While its worktree is checked, deleting is true. force removes it ' +
    'anyway and keeps a last snapshot in the repository under refs/muster/kept/. Its children are deleted with it. abandon is for an agent ' +
    'whose host will never return: its record is deleted, nothing is closed or removed there, and givenUp says what remains; refused ' +
    'while the host sends beats.',
  request: message('agent.v1.DeleteAgentRequest', {
    agentId: [1, ...agentId],
    force: [2, z.boolean(), 'Whether to delete it even if work would be lost. A last snapshot is kept.'],
    abandon: [3, z.boolean(), 'Whether to abandon it with its lost host, where nothing is closed or removed.'],
  }),
  response: message('agent.v1.DeleteAgentResponse', {
    agent: [1, ...changedAgent],
    givenUp: [2, z.array(z.string()), 'What was given up with an abandoned agent, item by item.'],
  }),
  access: 'write',
  idempotent: true,
  destructive: true,
  roles: [],
});

export const renameAgent = operation({
  ...service,
  method: 'RenameAgent',
  summary: 'Renames an agent and its window.',
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
  summary: 'Sets or clears the letter by which a person finds an agent.',
  guidance: 'mark is one letter, a to z; empty clears it. Another agent with that letter loses it.',
  request: message('agent.v1.MarkAgentRequest', {
    agentId: [1, ...agentId],
    mark: [2, z.string().regex(/^[a-z]?$/, 'is not one letter a to z'), 'The letter, a to z. Empty clears the mark.'],
  }),
  response: message('agent.v1.MarkAgentResponse', { agent: [1, AgentRow, 'The agent’s row after the call.'] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const issueAgentToken = operation({
  ...service,
  method: 'IssueAgentToken',
  summary: 'Issues another token for an agent, for a person who runs its CLI by hand.',
  guidance:
    'Whoever has the token acts as the agent. It is revoked when the agent is archived, deleted or opened in a new ' +
    'window, and after four newer ones. The token of the agent’s own window stays valid.',
  request: message('agent.v1.IssueAgentTokenRequest', { agentId: [1, ...agentId] }),
  response: message('agent.v1.IssueAgentTokenResponse', {
    token: [1, z.string(), 'The token, a secret. It is shown only here.'],
  }),
  access: 'write',
  idempotent: false,
  secret: true,
  roles: [],
});

export const attachAgent = operation({
  ...service,
  method: 'AttachAgent',
  summary: 'Returns where an agent’s window is: its host, the tmux server there, and the window.',
  guidance:
    'To attach, run `muster attach` on the host of the answer. It builds its command itself and never runs anything from an ' +
    'answer. readOnly has no effect.',
  request: message('agent.v1.AttachAgentRequest', {
    agentId: [1, ...agentId],
    readOnly: [2, z.boolean(), 'Has no effect.'],
  }),
  response: message('agent.v1.AttachAgentResponse', {
    command: [1, z.array(z.string()), 'Always empty.'],
    hostId: [2, z.string(), 'The host of its window.'],
    hostName: [3, z.string(), 'What people call that host.'],
    family: [4, z.string(), 'The id of the first agent of its family, which names the tmux server.'],
    windowId: [5, z.string(), 'The id that tmux gave the window, such as `@3`.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});
