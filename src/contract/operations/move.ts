import { z } from 'zod';
import { agentId, changedAgent } from '#contract/agent/agent.ts';
import { message } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;

export const moveAgent = operation({
  ...service,
  method: 'MoveAgent',
  summary: 'Moves an agent to another host, with its worktree and its CLI’s conversation.',
  guidance:
    'It moves once it is at rest: its CLI is ended, its commits, staged, changed and untracked files and its conversation are ' +
    'carried, and it resumes there. Only then what it left is removed; if anything fails, it is resumed where it was, and ' +
    'failedMove says why. notCarried lists what stays behind. An agent moves only while its children are archived; they follow it. cancel ends a move that is not ' +
    'over. fromLastRound is for a host that is lost.',
  request: message('agent.v1.MoveAgentRequest', {
    agentId: [1, ...agentId],
    host: [2, z.string(), 'The host, by id or name. Unset: the one with the fewest agents that can take it.'],
    dir: [
      3,
      z.string().max(4_096),
      'The directory there, absolute or `~`-prefixed: a checkout of its repository. Unset: the same path; if nothing is there, a ' +
        'repository is made from what is carried.',
    ],
    fromLastRound: [
      5,
      z.boolean(),
      'true: it moves from a lost host with what its last review round had, and mayBeMissing says what it may lack.',
    ],
    cancel: [
      4,
      z.boolean(),
      'true: it does not move, or returns if it has left already. An agent that does not move does not change.',
    ],
    gone: [
      6,
      z.boolean(),
      'With `cancel`, true: you vouch that nothing of it runs on the host that it moves to, which is lost. It returns without waiting ' +
        'for that host to close its window. If it runs there anyway, it runs twice.',
    ],
  }),
  response: message('agent.v1.MoveAgentResponse', {
    agent: [1, ...changedAgent],
    notCarried: [2, z.array(z.string()), 'What is not carried, one sentence each.'],
    hostId: [3, z.string(), 'The host that it moves to. Unset if a move was cancelled.'],
    mayBeMissing: [4, z.array(z.string()), 'With `fromLastRound`: what the agent may lack, one sentence each.'],
  }),
  access: 'write',
  idempotent: false,
  roles: [],
});
