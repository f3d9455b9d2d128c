import type { Client } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Define } from '#cli/client/session.ts';
import { findAgent } from '#cli/find/find-agent.ts';
import { newerThanRules } from '#cli/find/newer-than-rules.ts';
import { notDeleted, reasonBelow, stateText } from '#cli/print/agent-state.ts';
import { counted } from '#cli/print/counted.ts';
import { details, section } from '#cli/print/details.ts';
import { ago } from '#cli/print/duration.ts';
import { refusedText } from '#cli/print/isolation-details.ts';
import { formatOf, type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { parkDetails } from '#cli/print/park-text.ts';
import { standingText } from '#cli/print/pull-request-words.ts';
import { subjectNames } from '#cli/print/subject-name.ts';
import { inWords, shortName } from '#cli/print/words.ts';
import { conclusionText, verdictWord } from '#cli/review/conclusion.ts';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { endingText } from '#contract/agent/ending-text.ts';
import { spentText } from '#contract/budget/budget-text.ts';
import type { PullRequest } from '#contract/forge/pull-request.ts';
import { pullRequestWord } from '#contract/forge/pull-request-words.ts';
import { byteText } from '#contract/host/load-reading.ts';

/** `muster show` */
export const define: Define = (command, session) => {
  command
    .description(
      'Shows everything about one agent, with its full prompt. NAME is its name, id, mark, or the beginning of a name.',
    )
    .addOption(outputOption())
    .action(async (name: string, flags: OutputFlags) => {
      const client = session.client();
      const { row } = await findAgent(client, name);
      const isTable = formatOf(session.io, flags) === 'table';
      const extra = isTable ? await extraOf(client, row) : noExtra;
      writeRecord(session.io, flags, row, () => agentPage(session.io, row, extra));
    });
};

/** The data that is fetched in addition to the row: names, and whether the CLI is newer than its rules. */
interface ExtraDetails {
  readonly names: Names;
  readonly newer: string;
}

type Names = ReadonlyMap<string, string>;

const noExtra: ExtraDetails = { names: new Map(), newer: '' };

async function extraOf(client: Client, row: AgentRow): Promise<ExtraDetails> {
  const [names, newer] = await Promise.all([namesIn(client, row), newerThanRules(client, row.agent)]);
  return { names, newer };
}

/** The names of the ids in the row. */
async function namesIn(client: Client, { agent = {} }: AgentRow): Promise<Names> {
  const nameOf = subjectNames(client);
  const ids = [agent.workflowId, agent.parentAgentId, agent.spawnedByAgentId, agent.hostId].filter(
    (id) => id !== undefined,
  );
  return new Map(await Promise.all(ids.map(async (id) => [id, await nameOf(id)] as const)));
}

function named(names: Names, id: string | undefined): string | undefined {
  return id && (names.get(id) ?? id);
}

function agentPage(io: CliIo, row: AgentRow, extra: ExtraDetails): string {
  const { agent = {} } = row;
  const page = details(io, { ...stateFields(io, row, extra.names), ...placeOf(io, agent, extra), ...workOf(row) });
  const facts = (agent.metadata ?? []).map(({ key = '', value }) => [key, value] as const);
  const sections = [
    page,
    section(io, 'reason', whyLines(agent).join('\n')),
    facts.length > 0 ? details(io, Object.fromEntries(facts)) : '',
    section(io, 'prompt', agent.prompt ?? ''),
  ];
  return sections.filter(Boolean).join('\n');
}

/** Why a deletion was refused, and the reason of the state. A program's output is printed unchanged. */
function whyLines(agent: Agent): readonly string[] {
  const [head = '', ...more] = reasonBelow(agent);
  return [notDeleted(agent), inWords(head), ...more].filter((line, at) => at > 1 || line !== '');
}

function stateFields(io: CliIo, row: AgentRow, names: Names): Record<string, string | undefined> {
  const { agent = {} } = row;
  const age = ago(agent.endedAt ?? agent.stateChangedAt, io.now());
  return {
    name: agent.name,
    id: agent.id,
    mark: row.mark,
    state: `${stateText(row)}${age && `, for ${age}`}`,
    'last known': agent.lastKnownAt && `${ago(agent.lastKnownAt, io.now())} ago: its host has been silent since`,
    'host removed':
      agent.hostRemovedAt && `${ago(agent.hostRemovedAt, io.now())} ago: muster delete --abandon gives it up`,
    'waits for': agent.waitingFor,
    reported: agent.reportedReason,
    isolation: agent.isolation && shortName(agent.isolation),
    'refused connections': refusedText(agent),
    ended: agent.ending && endingText(agent.ending),
    result: agent.resultAt && `reported ${ago(agent.resultAt, io.now())} ago: muster result prints it`,
    turns: agent.turns === undefined ? undefined : String(agent.turns),
    mail: row.unreadMailCount ? `${row.unreadMailCount} waiting` : undefined,
    doorbell: doorbellOf(io, row),
    account: row.account,
    role: agent.role && shortName(agent.role),
    parent: named(names, agent.parentAgentId),
    'launched by': named(names, agent.spawnedByAgentId) ?? agent.scheduleId,
    created: agent.createdAt,
    archived: agent.archivedAt,
    held: agent.heldAt,
    budget: agent.overBudget && `held: ${spentText(agent.overBudget)}, since ${agent.overBudget.since}`,
    parked: agent.park && parkDetails(agent.park, io.now()),
  };
}

/** Since when an agent's doorbell has rung, or waits to ring, without a response. */
function doorbellOf(io: CliIo, { doorbellRaisedAt, doorbellRungAt }: AgentRow): string | undefined {
  if (doorbellRaisedAt === undefined) return undefined;
  const rung = doorbellRungAt ? `notified ${ago(doorbellRungAt, io.now())} ago, no response yet` : 'not notified yet';
  return `raised ${ago(doorbellRaisedAt, io.now())} ago, ${rung}`;
}

/** How much disk its worktree takes, and how old the measurement is. */
function diskOf(io: CliIo, { diskBytes, diskMeasuredAt }: Agent): string | undefined {
  if (diskMeasuredAt === undefined) return undefined;
  return `${byteText(Number(diskBytes ?? 0))}, measured ${ago(diskMeasuredAt, io.now())} ago`;
}

function placeOf(io: CliIo, agent: Agent, { names, newer }: ExtraDetails): Record<string, string | undefined> {
  return {
    harness: [agent.harness, agent.flags].filter(Boolean).join(' '),
    version: [agent.harnessVersion, newer && `(${newer})`].filter(Boolean).join(' '),
    workflow: named(names, agent.workflowId),
    host: named(names, agent.hostId),
    directory: `${agent.cwd ?? ''}${agent.worktreeRemoved ? ' (removed)' : ''}`,
    disk: diskOf(io, agent),
    pane: agent.paneId,
    session: agent.sessionId,
    'failed run': agent.failedRunLog ? `${agent.failedRunLog} (muster run ${agent.failedRunLog})` : undefined,
  };
}

const standings: Readonly<Record<string, string>> = {
  REVIEW_TREE_STANDING_MOVED: 'changed since this round',
  REVIEW_TREE_STANDING_LANDED: 'merged into base',
  REVIEW_TREE_STANDING_LANDED_MOVED: 'merged into base, with new work since',
};

/** The review status of the work against its newest round. */
function roundWords({
  treeStanding = 'REVIEW_TREE_STANDING_UNSPECIFIED',
  treeStandingSha,
  movedSinceRound,
}: Agent): string | undefined {
  if (treeStandingSha === undefined) return undefined;
  const fallback =
    movedSinceRound === undefined ? 'unchanged since this round' : standings['REVIEW_TREE_STANDING_MOVED'];
  return `${treeStandingSha.slice(0, 12)}: ${standings[treeStanding] ?? fallback}`;
}

/** The state of the current pull request, and what it waits for. */
function pullRequestText(pullRequest: AgentRow['pullRequest']): string | undefined {
  const {
    url,
    title,
    state = 'PULL_REQUEST_STATE_UNSPECIFIED',
    checks,
    mergeability,
    inMergeQueue,
  } = pullRequest ?? {};
  if (url === undefined) return undefined;
  const result = [
    checks && `checks ${shortName(checks)}`,
    mergeability && `merge ${shortName(mergeability)}`,
    inMergeQueue && 'in the merge queue',
  ];
  const more = result.filter(Boolean).join(', ');
  return [pullRequestWord(state), url, title, more && `(${more})`].filter(Boolean).join(' ');
}

/** The remedy for an agent's repository that is not confirmed for its workflow. */
function unconfirmedText({ agent = {}, unconfirmedRepositoryUrl = '' }: AgentRow): string {
  return `not read: no person has confirmed the repository (muster workflow confirm ${agent.workflowId} ${unconfirmedRepositoryUrl})`;
}

function otherText({ number = 0, state = 'PULL_REQUEST_STATE_UNSPECIFIED' }: PullRequest): string {
  return standingText({ number, state });
}

/** How many rounds were reviewed, and the verdict that counts. */
function reviewText({ localReviewRounds, localReviewVerdict, localReviewConclusion }: AgentRow): string | undefined {
  if (!localReviewRounds) return undefined;
  const verdict = localReviewConclusion ? conclusionText(localReviewConclusion) : verdictWord(localReviewVerdict);
  return `${counted(localReviewRounds, 'round')}, ${verdict || 'no verdict that counts'}`;
}

function workOf(row: AgentRow) {
  const { agent = {}, pullRequest, pullRequests = [], uncountedReviewConclusion: uncounted } = row;
  return {
    repository: agent.repositoryUrl,
    branch: `${agent.branch ?? ''}${agent.sequenceInProgress ? ' (merge or rebase in progress)' : ''}`,
    commit: agent.headSha,
    'pull request': row.unconfirmedRepositoryUrl === undefined ? pullRequestText(pullRequest) : unconfirmedText(row),
    'earlier ones': pullRequests.slice(1).map(otherText).join(', ') || undefined,
    review: reviewText(row),
    'other verdict': uncounted && conclusionText(uncounted),
    'newest round': roundWords(agent),
  };
}
