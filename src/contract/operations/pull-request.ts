import { z } from 'zod';
import { message, required, text } from '../message.ts';
import { operation } from '../operation.ts';
import { Pagination } from '../page.ts';
import { PullRequest, PullRequestState } from '../pull-request.ts';
import { RepositoryReading } from '../repository-reading.ts';

const service = { package: 'forge.v1', service: 'ForgeService' } as const;

export const listPullRequests = operation({
  ...service,
  method: 'ListPullRequests',
  summary: 'Lists the pull requests that are stored, most recently moved first.',
  guidance:
    'They are those of the repositories that agents push to, as last read from their forges: nothing is asked of a forge. agentId ' +
    'lists those of that agent’s branch; remoteUrl those of a repository, in any form that git takes; state those that stand there. ' +
    'Pass nextPageToken back as pagination.cursor.',
  request: message('forge.v1.ListPullRequestsRequest', {
    pagination: [1, Pagination],
    agentId: [2, z.string()],
    remoteUrl: [3, text(2_048)],
    state: [4, PullRequestState],
  }),
  response: message('forge.v1.ListPullRequestsResponse', {
    pullRequests: [1, z.array(PullRequest)],
    nextPageToken: [2, z.string()],
  }),
  access: 'read',
  idempotent: true,
  roles: ['implementer', 'reviewer', 'orchestrator'],
});

export const sweepRepository = operation({
  ...service,
  method: 'SweepRepository',
  summary: 'Has a repository’s pull requests read now instead of at the next turn.',
  guidance:
    'It answers at once; list_pull_requests shows what comes of it a moment later. Repositories that agents push to are read by ' +
    'themselves, so this is for the moment after a push. failed_precondition: no forge is connected for the host. unavailable: the ' +
    'forge wants to be left alone until the time that the message names.',
  request: message('forge.v1.SweepRepositoryRequest', { remoteUrl: [1, required(text(2_048).min(1))] }),
  response: message('forge.v1.SweepRepositoryResponse', { repository: [1, RepositoryReading] }),
  access: 'write',
  idempotent: true,
  roles: ['orchestrator'],
});
