import { hasEnded } from '#actors/registry/agent/agent-standing.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { deliverMail } from '#actors/registry/mail/deliver-mail.ts';
import { muster } from '#actors/registry/mail/mail-resource.ts';
import { isMailFull } from '#actors/registry/mail/mail-rules.ts';
import type { PullRequestMatter } from '#contract/workflow.ts';
import { mattersOf } from '#machines/forge/pull-request.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredPullRequest } from '#store/forge/pull-request-entity.ts';

/** The kind of mail about what to fix on a pull request. */
const kind = 'pull-request';
/** Maximum number of a pull request's heads whose mailed problems are stored. */
const maxHeads = 100;

/**
 * Mails the agents of pull requests what to fix, if their workflows ask for it: each problem once per head, recorded in
 * the same write.
 */
export async function mailProblems(
  writing: Change,
  rows: readonly StoredPullRequest[],
  agentsOf: (row: StoredPullRequest) => readonly StoredAgent[],
): Promise<void> {
  const { tables } = writing;
  const wanted = new Map<string, readonly PullRequestMatter[]>();
  const mattersWanted = async ({ workflowId }: StoredAgent): Promise<readonly PullRequestMatter[]> => {
    const known = wanted.get(workflowId) ?? (await tables.workflows.find(workflowId))?.mailOnPullRequest ?? [];
    wanted.set(workflowId, known);
    return known;
  };
  for (const row of rows) {
    const open = notMailed(row);
    if (open.length === 0) continue;
    const mailed = new Set<PullRequestMatter>();
    for (const { id } of agentsOf(row)) {
      // Read again: an earlier mail of this write may have changed it.
      const agent = await tables.agents.find(id);
      if (agent === undefined || !takesMail(agent)) continue;
      const wanted = await mattersWanted(agent);
      const matters = open.filter((matter) => wanted.includes(matter));
      if (matters.length === 0) continue;
      await mail(writing, agent, row, matters);
      for (const matter of matters) mailed.add(matter);
    }
    if (mailed.size === 0) continue;
    const noted = Object.fromEntries(
      [...mailed].map((matter) => [matter, [...(row.told[matter] ?? []), row.headSha].slice(-maxHeads)]),
    );
    await tables.pullRequests.save({ ...row, told: { ...row.told, ...noted } });
  }
}

/** Problems of a pull request that were not yet mailed for its head. */
function notMailed(row: StoredPullRequest): PullRequestMatter[] {
  const facts = { ...row, state: row.forgeState };
  return mattersOf(facts).filter((matter) => !row.told[matter]?.includes(row.headSha));
}

/** A child works in its parent's checkout: the parent gets the mail. */
function takesMail(agent: StoredAgent): boolean {
  return agent.parentAgentId == null && !hasEnded(agent) && !isMailFull(agent);
}

async function mail(
  writing: Change,
  agent: StoredAgent,
  row: StoredPullRequest,
  matters: readonly PullRequestMatter[],
): Promise<void> {
  const lines = matters.map((matter) => sentences[matter]?.(row) ?? '');
  const head = row.headSha.slice(0, 12);
  await deliverMail(writing, agent, {
    from: muster,
    subject: `Pull request #${row.number}: ${matters.map((matter) => titles[matter]).join(', ')}`,
    body: [
      `Your pull request #${row.number} (${row.url}), branch ${row.headBranch} at ${head}:`,
      '',
      ...lines,
      '',
      'Open it on the forge, fix what is yours to fix, and push.',
    ].join('\n'),
    kind,
    inReplyTo: null,
    setOffBy: null,
    hops: 0,
    idempotencyKey: null,
  });
}

const titles: Readonly<Partial<Record<PullRequestMatter, string>>> = {
  PULL_REQUEST_MATTER_FAILING_CHECKS: 'checks fail',
  PULL_REQUEST_MATTER_REQUESTED_CHANGES: 'changes are requested',
  PULL_REQUEST_MATTER_CONFLICT: 'it conflicts with its base',
};

const sentences: Readonly<Partial<Record<PullRequestMatter, (row: StoredPullRequest) => string>>> = {
  PULL_REQUEST_MATTER_FAILING_CHECKS: ({ failingChecks }) =>
    failingChecks.length === 0
      ? '- Checks fail on its head; the forge does not say which.'
      : `- Checks fail on its head: ${failingChecks.join(', ')}.`,
  PULL_REQUEST_MATTER_REQUESTED_CHANGES: () =>
    '- A reviewer requests changes. If you have answered those already, there may be nothing new.',
  PULL_REQUEST_MATTER_CONFLICT: ({ baseBranch, baseSha }) =>
    `- It no longer merges into ${baseBranch} (at ${baseSha.slice(0, 12)}): merge or rebase, and resolve the conflict.`,
};
