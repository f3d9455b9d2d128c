import type { Client } from '#cli/client/client.ts';
import { everyWorkflow } from './find-workflow.ts';
import type { RowNames } from './row-filter.ts';

/** For a list that shows no names. */
export const noNames: RowNames = { workflows: new Map(), hosts: new Map() };

/** The names of all workflows, and of all hosts, with removed ones that agents were on. */
export async function namesIn(client: Client): Promise<RowNames> {
  const [workflows, hosts] = await Promise.all([
    namesOf(() => everyWorkflow(client)),
    namesOf(async () => {
      const { hosts = [], removed = [] } = await client.call('host.v1.HostService/ListHosts', {});
      return [...hosts, ...removed];
    }),
  ]);
  return { workflows, hosts };
}

type NamedRecord = { readonly id?: string | undefined; readonly name?: string | undefined };

/** Names by id; empty if the caller may not see them, because a list without names is better than none. */
async function namesOf(list: () => Promise<readonly NamedRecord[]>): Promise<ReadonlyMap<string, string>> {
  try {
    return new Map((await list()).map(({ id = '', name = id }) => [id, name]));
  } catch {
    return new Map();
  }
}
