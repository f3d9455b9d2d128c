import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { Tables } from '#store/tables.ts';
import { accountOf, userOf } from './account.ts';

/** How many agents of a host are read: more than any host runs. */
const most = 10_000;

/** The agents on a host that use an account, and have a pane. */
export async function agentsOf(
  tables: Pick<Tables, 'agents' | 'profiles' | 'hosts'>,
  key: string,
  host: string,
): Promise<readonly StoredAgent[]> {
  const present = (await tables.agents.presentOn(host, most)).filter(({ alive }) => alive);
  const keys = new Map<string, string>();
  const kindOf = ({ launch, profileId }: StoredAgent): string => JSON.stringify([launch.harness, profileId ?? null]);
  for (const agent of present) {
    const kind = kindOf(agent);
    if (!keys.has(kind)) keys.set(kind, (await accountOf(tables, userOf(agent))).key);
  }
  return present.filter((agent) => keys.get(kindOf(agent)) === key);
}
