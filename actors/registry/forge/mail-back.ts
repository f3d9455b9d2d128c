import { hasEnded } from '#actors/registry/agent/find-agent.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { deliverMail } from '#actors/registry/mail/deliver-mail.ts';
import { muster } from '#actors/registry/mail/mail-resource.ts';
import { isMailFull } from '#actors/registry/mail/mail-rules.ts';
import type { PullRequestMatter } from '#contract/workflow.ts';
import { mattersOf } from '#machines/forge/pull-request.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredPullRequest } from '#store/forge/pull-request-entity.ts';

/** The kind of mail that tells what is to be mended on a pull request. */
const kind = 'pull-request';
/** Of how many heads of a pull request it is remembered what was told. */
const mostHeads = 100;

/**
 * Mails the agents of pull requests what is to be mended on them, where their workflows ask for it: each matter of each head
 * once, which is written down in the same write.
 */
export async function mailMatters(
  writing: Change,
  rows: readonly StoredPullRequest[],
  agentsOf: (row: StoredPullRequest) => readonly StoredAgent[],
): Promise<void> {
  const { tables } = writing;
  const wishes = new Map<string, readonly PullRequestMatter[]>();
  const wishOf = async ({ workflowId }: StoredAgent): Promise<readonly PullRequestMatter[]> => {
    const known = wishes.get(workflowId) ?? (await tables.workflows.find(workflowId))?.mailOnPullRequest ?? [];
    wishes.set(workflowId, known);
    return known;
  };
  for (const row of rows) {
    const open = untold(row);
    if (open.length === 0) continue;
    const told = new Set<PullRequestMatter>();
    for (const { id } of agentsOf(row)) {
      // Read anew: another mail of this write may have come to it.
      const agent = await tables.agents.find(id);
      if (agent === undefined || !takesMail(agent)) continue;
      const wished = await wishOf(agent);
      const matters = open.filter((matter) => wished.includes(matter));
      if (matters.length === 0) continue;
      await tell(writing, agent, row, matters);
      for (const matter of matters) told.add(matter);
    }
    if (told.size === 0) continue;
    const noted = Object.fromEntries(
      [...told].map((matter) => [matter, [...(row.told[matter] ?? []), row.headSha].slice(-mostHeads)]),
    );
    await tables.pullRequests.save({ ...row, told: { ...row.told, ...noted } });
  }
}

/** What is to be mended on a pull request, of which nobody was told for its head. */
function untold(row: StoredPullRequest): PullRequestMatter[] {
  const facts = { ...row, state: row.forgeState };
  return mattersOf(facts).filter((matter) => !row.told[matter]?.includes(row.headSha));
}

/** A child works in its parent's checkout: the parent is told. */
function takesMail(agent: StoredAgent): boolean {
  return agent.parentAgentId == null && !hasEnded(agent) && !isMailFull(agent);
}

async function tell(
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
      'Look at it on the forge, mend what is yours to mend, and push.',
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
    '- A reviewer asks for changes. Where you have answered that already, nothing new may be there yet.',
  PULL_REQUEST_MATTER_CONFLICT: ({ baseBranch, baseSha }) =>
    `- It no longer merges into ${baseBranch} (at ${baseSha.slice(0, 12)}): bring that in and settle the conflict.`,
};
