import { type Command, Option } from 'commander';
import type { Client } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import { everyPage } from '#cli/client/pages.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { findAgent } from '#cli/find/find-agent.ts';
import { paintFor } from '#cli/print/color.ts';
import { ago } from '#cli/print/duration.ts';
import { formatOf, type OutputFlags, outputOption, writeList, writeRecord } from '#cli/print/output.ts';
import { standingStyle } from '#cli/print/pull-request-words.ts';
import { type Column, textTable } from '#cli/print/text-table.ts';
import { shortName } from '#cli/print/words.ts';
import { Failure } from '#contract/failure.ts';
import type { ForgeConnection } from '#contract/forge/forge-connection.ts';
import type { PullRequest, PullRequestState } from '#contract/forge/pull-request.ts';
import { pullRequestWord } from '#contract/forge/pull-request-words.ts';
import { printable } from '#contract/printable.ts';

interface Flags extends OutputFlags {
  readonly remote?: string;
  readonly state?: string;
  readonly sweep?: string;
}

const columns: readonly Column[] = [
  { title: 'NUMBER' },
  { title: 'STATE' },
  { title: 'CHECKS' },
  { title: 'REVIEWS' },
  { title: 'MOVED' },
  { title: 'TITLE', min: 16 },
  { title: 'BRANCH', min: 8, cutFirst: true },
  { title: 'REPOSITORY', min: 12 },
];

/** The states of stored pull requests, as people type them. */
const states: Readonly<Record<string, PullRequestState>> = {
  open: 'PULL_REQUEST_STATE_OPEN',
  approved: 'PULL_REQUEST_STATE_APPROVED',
  'approved-waiting': 'PULL_REQUEST_STATE_APPROVED_WAITING',
  'changes-requested': 'PULL_REQUEST_STATE_CHANGES_REQUESTED',
  draft: 'PULL_REQUEST_STATE_DRAFT',
  failing: 'PULL_REQUEST_STATE_FAILING',
  conflicting: 'PULL_REQUEST_STATE_CONFLICTING',
  merged: 'PULL_REQUEST_STATE_MERGED',
  closed: 'PULL_REQUEST_STATE_CLOSED',
};

/** `muster prs` */
export const define: Define = (command, session) => {
  describe(command)
    .option('-r, --remote <url>', 'only those of this repository, as a git remote: git@host:owner/name')
    .addOption(new Option('-s, --state <state>', 'only those in this state').choices(Object.keys(states)))
    .option('--sweep <url>', 'read a repository now, instead of listing')
    .addOption(outputOption())
    .action((name: string | undefined, flags: Flags) =>
      flags.sweep === undefined ? list(session, name, flags) : sweep(session, flags.sweep, flags),
    );
};

function describe(command: Command): Command {
  return command.description(
    'Lists the pull requests of the repositories that agents push to, as last read from their forges, most recently ' +
      'changed first: all, or those from the branch of the agent NAME.',
  );
}

async function list({ io, client: connect }: Session, name: string | undefined, flags: Flags): Promise<void> {
  const client = connect();
  const state = states[flags.state ?? ''];
  const found = await listed(client, {
    ...(name !== undefined && { agentId: (await findAgent(client, name)).id }),
    ...(flags.remote !== undefined && { remoteUrl: flags.remote }),
    ...(state && { state }),
  });
  const none = found.length === 0 && formatOf(io, flags) === 'table' ? await whyNone(client, name, flags) : '';
  writeList(io, flags, found, () => none || table(io, found));
}

/** Why the list is empty, and what to do. A caller who may not see connections is not advised to add one. */
async function whyNone(client: Client, name: string | undefined, { remote, state }: Flags): Promise<string> {
  const isNarrowed = [name, remote, state].some((one) => one !== undefined);
  if ((await connectionsOf(client))?.length === 0) {
    return 'There are no pull requests, and no forge is connected yet: muster forge add HOST connects one\n';
  }
  return isNarrowed
    ? 'No pull request that was read matches\n'
    : 'No pull requests have been read. Repositories that agents push to are read regularly, and muster prs --sweep URL reads one now\n';
}

/** The connected forges; undefined if the caller may not see them. */
async function connectionsOf(client: Client): Promise<readonly ForgeConnection[] | undefined> {
  try {
    return (await client.call('forge.v1.ForgeService/ListForgeConnections', {})).connections ?? [];
  } catch (error) {
    if (error instanceof Failure && error.code === 'permission_denied') return undefined;
    throw error;
  }
}

interface PullRequestFilter {
  readonly agentId?: string;
  readonly remoteUrl?: string;
  readonly state?: PullRequestState;
}

function listed(client: Client, asked: PullRequestFilter): Promise<PullRequest[]> {
  return everyPage(
    (pagination) => client.call('forge.v1.ForgeService/ListPullRequests', { ...asked, pagination }),
    ({ pullRequests }) => pullRequests,
  );
}

async function sweep({ io, client: connect }: Session, remoteUrl: string, flags: Flags): Promise<void> {
  const { repository = {} } = await connect().call('forge.v1.ForgeService/SweepRepository', { remoteUrl });
  writeRecord(
    io,
    flags,
    repository,
    () => `${printable(repository.url ?? remoteUrl)} is being read: muster prs lists the result\n`,
  );
}

function table(io: CliIo, found: readonly PullRequest[]): string {
  const paint = paintFor(io);
  const rows = found.map((one) => {
    const { number = 0, state, checks, reviewDecision, inMergeQueue, changedAt, title = '', headBranch = '' } = one;
    const style = standingStyle(state);
    return [
      { text: `#${number}` },
      {
        text: `${state ? pullRequestWord(state) : ''}${inMergeQueue ? ', queued' : ''}`,
        ...(style && { paint: (text: string) => paint(style, text) }),
      },
      { text: checks ? shortName(checks) : '' },
      { text: reviewDecision ? shortName(reviewDecision) : '' },
      { text: ago(changedAt, io.now()) },
      { text: printable(title) },
      { text: printable(headBranch) },
      { text: printable((one.repositoryUrl ?? '').replace(/^https?:\/\//, '')) },
    ];
  });
  return textTable(columns, rows, io.stdout.columns);
}
