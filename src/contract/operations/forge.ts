import { z } from 'zod';
import { ForgeConnection, ForgeKindName } from '#contract/forge/forge-connection.ts';
import { ForgePullRequest } from '#contract/forge/pull-request.ts';
import { remoteUrl } from '#contract/forge/repository-reading.ts';
import { int64, meaningsOf, message, required, text } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextPageToken, paging } from '#contract/page.ts';

const service = { package: 'forge.v1', service: 'ForgeService' } as const;
const same = meaningsOf(ForgeConnection);
const connectionId = [required(z.string().min(1)), 'The connection, by its id: `fgc_` and a ULID.'] as const;

export const listForgePullRequests = operation({
  ...service,
  method: 'ListForgePullRequests',
  summary: 'Lists a repository’s pull requests by asking the forge itself, not the stored rows.',
  guidance:
    'remoteUrl: git@host:owner/name or https://host/owner/name. With branch, every pull request from it, else the open ones. ' +
    'not_found: it does not exist, or the credential cannot see it. failed_precondition: tell a person. unavailable: try later.',
  request: message('forge.v1.ListForgePullRequestsRequest', {
    remoteUrl: [1, ...remoteUrl],
    branch: [2, text(512), 'Every pull request from this branch. Unset: all open ones.'],
    pagination: [3, ...paging],
  }),
  response: message('forge.v1.ListForgePullRequestsResponse', {
    pullRequests: [1, z.array(ForgePullRequest), 'One page, in the forge’s order.'],
    nextPageToken: [2, ...nextPageToken],
  }),
  access: 'read',
  idempotent: true,
  roles: ['orchestrator'],
});

export const listForgeConnections = operation({
  ...service,
  method: 'ListForgeConnections',
  summary: 'Lists the connected forges, ordered by host.',
  guidance: 'Shows where each credential comes from, never the credential itself.',
  request: message('forge.v1.ListForgeConnectionsRequest', {}),
  response: message('forge.v1.ListForgeConnectionsResponse', {
    connections: [1, z.array(ForgeConnection), 'All connections, ordered by host.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const createForgeConnection = operation({
  ...service,
  method: 'CreateForgeConnection',
  summary: 'Connects a forge: from then on muster reads the pull requests of its repositories.',
  guidance:
    'Give exactly one of credential (stored encrypted), credentialEnv (an environment variable of the registry), credentialFile (a file ' +
    'on the registry’s computer that only its owner may read) and credentialCommand (a program with its arguments, such as gh auth ' +
    'token, run without a shell). A host has one connection: a second one is refused as already_exists. baseAddress is for self-hosted forges ' +
    'that do not answer at https://host.',
  request: message('forge.v1.CreateForgeConnectionRequest', {
    host: [1, required(text(255).min(1)), same.host],
    kind: [2, required(ForgeKindName), same.kind],
    baseAddress: [3, text(2_048), same.baseAddress],
    credential: [4, text(8_192), 'The secret itself, which muster stores encrypted.'],
    credentialEnv: [5, text(200), same.credentialEnv],
    credentialFile: [6, text(4_096), same.credentialFile],
    credentialCommand: [7, z.array(text(4_096)).max(50), same.credentialCommand],
  }),
  response: message('forge.v1.CreateForgeConnectionResponse', {
    connection: [1, ForgeConnection, 'The new connection.'],
  }),
  takesSecret: true,
  access: 'write',
  idempotent: false,
  roles: [],
});

export const deleteForgeConnection = operation({
  ...service,
  method: 'DeleteForgeConnection',
  summary: 'Deletes a forge’s connection and its stored credential.',
  guidance: 'Its stored pull requests stay, but are no longer updated.',
  request: message('forge.v1.DeleteForgeConnectionRequest', { connectionId: [1, ...connectionId] }),
  response: message('forge.v1.DeleteForgeConnectionResponse', {}),
  access: 'write',
  idempotent: false,
  destructive: true,
  roles: [],
});

export const checkForgeConnection = operation({
  ...service,
  method: 'CheckForgeConnection',
  summary: 'Asks a connected forge which account its credential belongs to.',
  guidance: 'If the forge refuses the credential, so does this call, and its message says what is wrong.',
  request: message('forge.v1.CheckForgeConnectionRequest', { connectionId: [1, ...connectionId] }),
  response: message('forge.v1.CheckForgeConnectionResponse', {
    login: [1, z.string(), 'The name of the credential’s account on the forge.'],
    warnings: [2, z.array(z.string()), 'What the credential may not do, item by item.'],
    quotaRemaining: [3, int64(), 'How many requests the forge still allows until `quotaResetAt`. Unset if unknown.'],
    quotaLimit: [4, int64(), 'How many requests the forge allows per period. Unset if unknown.'],
    quotaResetAt: [5, z.string(), 'When the next period begins: RFC 3339, UTC.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});
