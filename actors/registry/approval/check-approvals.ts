import { type Check, well } from '#contract/host/check.ts';
import type { Store } from '#store/store.ts';
import { areInForce, hasRules } from './stored-approvals.ts';

/** Whether rules answer questions: a warning while they are out of force. */
export async function checkApprovals({ store }: { readonly store: Store }): Promise<Check> {
  const name = 'approvals';
  const { enabled, any } = await store.read(async (tables) => ({
    enabled: await areInForce(tables),
    any: await hasRules(tables),
  }));
  if (!enabled) {
    const found = 'they are off: no rule answers questions of agents, which wait for a person';
    return { name, outcome: 'warn', found, mend: 'put them in force again with `muster approvals on`' };
  }
  return well(name, any ? 'rules of workflows answer questions of their agents' : 'no workflow has rules');
}
