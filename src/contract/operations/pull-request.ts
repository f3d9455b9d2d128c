import { z } from 'zod';
import { PullRequest, PullRequestState } from '#contract/forge/pull-request.ts';
import { RepositoryReading, remoteUrl } from '#contract/forge/repository-reading.ts';
import { message, text } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextPageToken, paging } from '#contract/page.ts';

const service = { package: 'forge.v1', service: 'ForgeService' } as const;

export const listPullRequests = operation({
  ...service,
  method: 'ListPullRequests',
  summary: 'Lists the stored pull requests, most recently changed first.',
  guidance:
    'As last read from the repositories that agents push to, without asking a forge. Filters: agentId (its branch), remoteUrl (in any ' +
    'form that git accepts), state.',
  request: message('forge.v1.ListPullRequestsRequest', {
    pagination: [1, ...paging],
    agentId: [2, z.string(), 'Only those from this agent’s branch.'],
    remoteUrl: [3, text(2_048), 'Only those of this repository, in any form that Git accepts.'],
    state: [4, PullRequestState, 'Only those in this state. Unset: all.'],
  }),
  response: message('forge.v1.ListPullRequestsResponse', {
    pullRequests: [1, z.array(PullRequest), 'One page, most recently changed first.'],
    nextPageToken: [2, ...nextPageToken],
  }),
  access: 'read',
  idempotent: true,
  roles: ['implementer', 'reviewer', 'orchestrator'],
});

export const sweepRepository = operation({
  ...service,
  method: 'SweepRepository',
  summary: 'Reads a repository’s pull requests now instead of at the next sweep.',
  guidance:
    'Answers at once; list_pull_requests shows the result a moment later. Repositories that agents push to are read ' +
    'regularly, so call this only after a push. failed_precondition: no forge is connected for the host. unavailable: the ' +
    'forge allows no request before the time in the message.',
  request: message('forge.v1.SweepRepositoryRequest', { remoteUrl: [1, ...remoteUrl] }),
  response: message('forge.v1.SweepRepositoryResponse', {
    repository: [1, RepositoryReading, 'The repository, and when it is read.'],
  }),
  access: 'write',
  idempotent: true,
  roles: ['orchestrator'],
});
