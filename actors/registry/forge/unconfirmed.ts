import type { Change } from '#actors/registry/kernel/writing.ts';
import type { AgentBranch } from '#store/agent/agent-table.ts';
import type { Tables } from '#store/tables.ts';
import { connectedHosts } from './confirmed-repositories.ts';
import { addressOf, placeOnForge } from './repositories.ts';

/** Maximum number of unconfirmed repositories stored for a workflow. */
const maxRemembered = 20;

/** A repository that agents of a workflow push to and that no person has confirmed. */
interface UnconfirmedRepository {
  readonly workflowId: string;
  /** The addresses by which agents refer to it. */
  readonly urls: readonly [string, ...string[]];
}

/** Unconfirmed branches that were not yet reported to people and whose forge is connected; others could not be read. */
export async function unreportedRepositories(
  tables: Pick<Tables, 'workflows' | 'forgeConnections'>,
  strange: readonly AgentBranch[],
): Promise<readonly UnconfirmedRepository[]> {
  const hosts = await connectedHosts(tables);
  const unreported: UnconfirmedRepository[] = [];
  const groups = Map.groupBy(strange, ({ workflowId, repositoryUrl }) => `${workflowId} ${addressOf(repositoryUrl)}`);
  for (const [{ workflowId, repositoryUrl }, ...more] of groups.values() as Iterable<[AgentBranch, ...AgentBranch[]]>) {
    if (!hosts.has(placeOnForge(repositoryUrl)?.host)) continue;
    const reported = (await tables.workflows.find(workflowId))?.unconfirmedRepositories ?? [];
    if (reported.some((url) => addressOf(url) === addressOf(repositoryUrl))) continue;
    unreported.push({ workflowId, urls: [repositoryUrl, ...new Set(more.map((one) => one.repositoryUrl))] });
  }
  return unreported;
}

/** Reports that agents of a workflow push to a repository that no person has confirmed. */
export async function reportUnconfirmed(
  { tables }: Change,
  { workflowId, urls }: UnconfirmedRepository,
): Promise<void> {
  const workflow = await tables.workflows.find(workflowId);
  if (workflow === undefined) return;
  const [repositoryUrl] = urls;
  const known = workflow.unconfirmedRepositories.filter((url) => addressOf(url) !== addressOf(repositoryUrl));
  const unconfirmedRepositories = [...known, repositoryUrl].slice(-maxRemembered);
  await tables.workflows.update({ ...workflow, unconfirmedRepositories });
  const agentIds = await tables.agents.pushingTo(workflowId, urls);
  const detail = { repositoryUrl, agentIds };
  await tables.facts.append([{ kind: 'repository.unconfirmed', subjectId: workflowId, detail }]);
  for (const id of agentIds) await tables.journal.touchPullRequest(id, { unconfirmedRepositoryUrl: repositoryUrl });
}
