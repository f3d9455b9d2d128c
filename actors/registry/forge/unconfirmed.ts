import type { Change } from '#actors/registry/kernel/writing.ts';
import type { NamedBranch } from '#store/agent/agent-table.ts';
import type { Tables } from '#store/store.ts';
import { confirmedOf, connectedHosts } from './confirmed.ts';
import { addressOf, placeOnForge } from './repositories.ts';

/** How many unconfirmed repositories of a workflow are remembered. */
const maxRemembered = 20;

/** A repository that agents of a workflow push to and that no person has confirmed. */
interface Unconfirmed {
  readonly workflowId: string;
  /** The addresses that agents name it by. */
  readonly urls: readonly [string, ...string[]];
}

/** Those of which people have not been told yet, and whose forge is connected: of others nothing could be read. */
export async function untoldRepositories(
  tables: Pick<Tables, 'agents' | 'workflows' | 'repositories' | 'forgeConnections'>,
): Promise<readonly Unconfirmed[]> {
  const [named, confirmed] = [await tables.agents.branchesNamed(), await confirmedOf(tables)];
  const hosts = await connectedHosts(tables);
  const strange = named.filter(({ workflowId, repositoryUrl }) => !confirmed.holds(workflowId, repositoryUrl));
  const untold: Unconfirmed[] = [];
  const groups = Map.groupBy(strange, ({ workflowId, repositoryUrl }) => `${workflowId} ${addressOf(repositoryUrl)}`);
  for (const [{ workflowId, repositoryUrl }, ...more] of groups.values() as Iterable<[NamedBranch, ...NamedBranch[]]>) {
    if (!hosts.has(placeOnForge(repositoryUrl)?.host)) continue;
    const told = (await tables.workflows.find(workflowId))?.unconfirmedRepositories ?? [];
    if (told.some((url) => addressOf(url) === addressOf(repositoryUrl))) continue;
    untold.push({ workflowId, urls: [repositoryUrl, ...new Set(more.map((one) => one.repositoryUrl))] });
  }
  return untold;
}

/** Tells people that agents of a workflow push to a repository that none of them has confirmed. */
export async function tellUnconfirmed({ tables }: Change, { workflowId, urls }: Unconfirmed): Promise<void> {
  const workflow = await tables.workflows.find(workflowId);
  if (workflow === undefined) return;
  const [repositoryUrl] = urls;
  const known = workflow.unconfirmedRepositories.filter((url) => addressOf(url) !== addressOf(repositoryUrl));
  const unconfirmedRepositories = [...known, repositoryUrl].slice(-maxRemembered);
  await tables.workflows.update({ ...workflow, unconfirmedRepositories });
  const agentIds = await tables.agents.pushingTo(workflowId, urls);
  const detail = { repositoryUrl, agentIds };
  await tables.facts.append([{ kind: 'repository.unconfirmed', subjectId: workflowId, detail }]);
  for (const id of agentIds) await tables.journal.tellPullRequest(id, { unconfirmedRepositoryUrl: repositoryUrl });
}
