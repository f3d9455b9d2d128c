import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/tables.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';
import { accountOf } from './account.ts';

/**
 * Which limit the launches of a workflow wait for, if the account is limited on each of the hosts; empty if it is not.
 */
export async function limitOfAll(
  tables: Pick<Tables, 'profiles' | 'hosts' | 'accountLimits'>,
  { harness, profileId }: Pick<StoredWorkflow, 'harness' | 'profileId'>,
  hosts: readonly Pick<StoredHost, 'id' | 'harnesses'>[],
): Promise<string> {
  const accounts = await Promise.all(
    hosts.map(({ id, harnesses }) =>
      accountOf(tables, { host: id, harness: harness || (harnesses[0] ?? ''), profileId }),
    ),
  );
  const limits = await tables.accountLimits.currentOf(accounts.map(({ key }) => key));
  const isFree = accounts.some(({ key }) => !limits.some((limit) => limit.key === key));
  const [first] = limits;
  if (isFree || first === undefined) return '';
  const end = first.due == null ? '' : ` until ${new Date(first.due).toISOString()}`;
  const what = first.kind === 'usage' ? 'is at its usage limit' : 'is signed out';
  return `waits: the account ${first.account} ${what}${end}`;
}
