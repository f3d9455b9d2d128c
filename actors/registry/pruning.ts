import { dropUnadmitted } from '#actors/registry/host/drop-unadmitted.ts';
import { Poller } from '#actors/worker/poller.ts';
import type { Service } from '#actors/worker/service.ts';
import type { Tables } from '#store/tables.ts';
import type { Peers } from './peer/peers.ts';
import type { RegistryScope } from './registry-scope.ts';

/** How often old rows are pruned, in milliseconds. */
const every = 3_600_000;
/** How many rows one write removes. Other writes get their turn in between. */
const atOnce = 500;

const day = 86_400_000;

/** Removes at most `limit` of the oldest rows of one kind that are older than `before`; returns how many. */
type Prune = (tables: Tables, before: number, limit: number) => Promise<number>;

/**
 * Keeps the database from growing without limit. At the start and every hour, it removes old facts and transitions,
 * mail that was taken or never can be, closed doorbells, ended firings and pull requests, and silent hosts that nobody
 * ever admitted.
 */
export function pruneOld(scope: RegistryScope, peers: Pick<Peers, 'leads'>): Service {
  const { store, clock, log, factsKept } = scope;
  const { days, count: keep } = factsKept;
  const kinds: Readonly<Record<string, Prune>> = {
    facts: ({ facts }, before, limit) => facts.prune({ before, keep, limit }),
    mail: async ({ agents, mail }, before, limit) =>
      mail.prune(before, [...(await agents.filterGone([...(await mail.waitingSince(before))]))], limit),
    firings: ({ firings }, before, limit) => firings.prune(before, limit),
    'pull requests': forgetEnded,
    'new hosts': (tables, _before, limit) => dropUnadmitted(scope, tables, limit),
    moves: ({ transitions }, before, limit) => transitions.prune(before, limit),
    doorbells: ({ doorbells }, before, limit) => doorbells.prune(before, limit),
  };
  const prune = async (kind: string, forget: Prune, signal: AbortSignal): Promise<void> => {
    const before = clock.now() - days * day;
    let forgotten = 0;
    for (let more = true; more && !signal.aborted; ) {
      const count = await store.write((tables) => forget(tables, before, atOnce));
      forgotten += count;
      more = count === atOnce;
    }
    if (forgotten > 0) log.info({ kind, forgotten }, 'old records were removed');
  };
  const pass = async (signal: AbortSignal): Promise<void> => {
    // One of several registries is enough.
    if (!peers.leads) return;
    for (const [kind, forget] of Object.entries(kinds)) await prune(kind, forget, signal);
  };
  return new Poller({ name: 'pruning', every, pass }, scope).start();
}

/** Removes pull requests that ended before a time and belong to no agent's branch. */
async function forgetEnded({ pullRequests, agents }: Tables, before: number, limit: number): Promise<number> {
  const ended = await pullRequests.endedBefore(before, limit);
  const onThem = await agents.onBranches([...new Set(ended.map(({ headBranch }) => headBranch))]);
  const shown = new Set(onThem.map(({ branch }) => branch));
  const forgotten = ended.filter(({ headBranch }) => !shown.has(headBranch));
  await pullRequests.forget(forgotten.map(({ id }) => id));
  return forgotten.length;
}
