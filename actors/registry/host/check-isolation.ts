import type { Check } from '#contract/host/check.ts';
import { quoted } from '#contract/quoted.ts';
import type { HostScope } from './host-scope.ts';

/** How many agents are looked through, most recently updated first, and how many are named. */
const [maxChecked, maxNamed] = [500, 3];

/**
 * A warning if agents that implement run without isolation while muster holds credentials of forges, which their programs
 * can then read; none otherwise.
 */
export async function checkIsolation({ store }: Pick<HostScope, 'store'>): Promise<Check[]> {
  const names = await store.read(async ({ agents, forgeConnections }) => {
    if ((await forgeConnections.all()).length === 0) return [];
    const present = await agents.page({ standing: 'present', limit: maxChecked });
    return present
      .filter(({ role, launch }) => role === 'AGENT_ROLE_IMPLEMENTER' && launch.isolation === undefined)
      .map(({ name }) => quoted(name));
  });
  if (names.length === 0) return [];
  const others = names.length > maxNamed ? ' and others' : '';
  return [
    {
      name: 'isolation',
      outcome: 'warn',
      found: `agents run without isolation, and their programs can read the credentials of forges: ${names.slice(0, maxNamed).join(', ')}${others}`,
      mend: 'set `muster workflow edit NAME --isolation sandbox` and launch them again, or run the registry as another user',
    },
  ];
}
