import type { AgentBranch } from '#store/agent/agent-table.ts';
import type { StoredRepository } from '#store/forge/repository-entity.ts';
import type { Tables } from '#store/tables.ts';
import { addressOf } from './repositories.ts';

/**
 * The repositories that a person has confirmed for the agents of workflows. What a checkout reports about itself is not
 * trusted: an agent may have written it.
 */
export interface ConfirmedRepositories {
  /** Whether a repository, under any of its names, is one of a workflow's. */
  holds(workflowId: string, repositoryUrl: string): boolean;
  /** Every name of a workflow's repositories, as returned by `addressOf`. */
  namesOf(workflowId: string): ReadonlySet<string>;
  /**
   * The row of a repository that was confirmed for any of the workflows, under any of its names; undefined before its
   * first sweep.
   */
  rowOf(repositoryUrl: string): StoredRepository | undefined;
}

/**
 * The repositories that a person confirmed for workflows (all workflows if none are named), with the names that forges
 * use for them now.
 */
export async function readConfirmedRepositories(
  { workflows, repositories }: Pick<Tables, 'workflows' | 'repositories'>,
  workflowIds?: readonly string[],
): Promise<ConfirmedRepositories> {
  const confirmed = await workflows.repositoriesOf(workflowIds);
  const known = await repositories.named([...confirmed.values()].flat().map(addressOf));
  const names = new Map<string, ReadonlySet<string>>();
  const rows = new Map(known);
  for (const [id, urls] of confirmed) {
    const addresses = urls.map(addressOf);
    const meant = addresses.flatMap((address) => known.get(address) ?? []);
    for (const row of meant) if (row.place != null && !rows.has(row.place)) rows.set(row.place, row);
    names.set(id, new Set([...addresses, ...meant.flatMap(({ address, place }) => [address, place ?? address])]));
  }
  const namesOf = (workflowId: string): ReadonlySet<string> => names.get(workflowId) ?? new Set();
  return {
    namesOf,
    holds: (workflowId, repositoryUrl) => namesOf(workflowId).has(addressOf(repositoryUrl)),
    rowOf: (repositoryUrl) => rows.get(addressOf(repositoryUrl)),
  };
}

/** The branches that agents are on, grouped by whether their repositories were confirmed for them. */
export async function branchesByConfirmation(
  tables: Pick<Tables, 'agents' | 'workflows' | 'repositories'>,
): Promise<Record<'confirmed' | 'unconfirmed', readonly AgentBranch[]>> {
  const [named, known] = [await tables.agents.branchesNamed(), await readConfirmedRepositories(tables)];
  const { confirmed = [], unconfirmed = [] } = Object.groupBy(named, ({ workflowId, repositoryUrl }) =>
    known.holds(workflowId, repositoryUrl) ? 'confirmed' : 'unconfirmed',
  );
  return { confirmed, unconfirmed };
}

/** The branches that agents are on in repositories that were confirmed for them. */
export async function confirmedBranches(
  tables: Pick<Tables, 'agents' | 'workflows' | 'repositories'>,
): Promise<readonly AgentBranch[]> {
  return (await branchesByConfirmation(tables)).confirmed;
}

/** The hosts of connected forges. Others cannot be read. */
export async function connectedHosts({
  forgeConnections,
}: Pick<Tables, 'forgeConnections'>): Promise<ReadonlySet<string | undefined>> {
  return new Set((await forgeConnections.all()).map(({ host }) => host));
}
