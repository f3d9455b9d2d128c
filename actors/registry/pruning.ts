import { dropUnadmitted } from '#actors/registry/host/drop-unadmitted.ts';
import { Poller } from '#actors/worker/poller.ts';
import type { Service } from '#actors/worker/service.ts';
import type { Tables } from '#store/store.ts';
import type { RegistryScope } from './registry-scope.ts';

/** How often it is looked whether something has become too old, in milliseconds. */
const every = 3_600_000;
/** How many rows are forgotten in one write: whoever waits for the store has its turn before the next. */
const atOnce = 500;

const day = 86_400_000;

/** Forgets so many of the oldest rows of one kind, of those from before a time; returns how many. */
type Forget = (tables: Tables, before: number, limit: number) => Promise<number>;

/**
 * Keeps the database from growing for ever: at the start and every hour it forgets the oldest facts, mail that was
 * taken or can never be, doorbells that are closed, firings that ended, and silent hosts that nobody ever admitted, a
 * few in each write.
 */
export function pruneOld(scope: RegistryScope): Service {
  const { store, clock, log, factsKept } = scope;
  const { days, count: keep } = factsKept;
  const kinds: Readonly<Record<string, Forget>> = {
    facts: ({ facts }, before, limit) => facts.prune({ before, keep, limit }),
    mail: async ({ agents, mail }, before, limit) =>
      mail.prune(before, [...(await agents.filterGone([...(await mail.waitingSince(before))]))], limit),
    firings: ({ firings }, before, limit) => firings.prune(before, limit),
    'pull requests': forgetEnded,
    'new hosts': (tables, _before, limit) => dropUnadmitted(scope, tables, limit),
    moves: ({ transitions }, before, limit) => transitions.prune(before, limit),
    doorbells: ({ doorbells }, before, limit) => doorbells.prune(before, limit),
  };
  const prune = async (kind: string, forget: Forget, signal: AbortSignal): Promise<void> => {
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
    for (const [kind, forget] of Object.entries(kinds)) await prune(kind, forget, signal);
  };
  return new Poller({ name: 'pruning', every, pass }, scope).start();
}

/** Forgets pull requests that ended before a time and that no agent's branch shows. */
async function forgetEnded({ pullRequests, agents }: Tables, before: number, limit: number): Promise<number> {
  const ended = await pullRequests.endedBefore(before, limit);
  const onThem = await agents.onBranches([...new Set(ended.map(({ headBranch }) => headBranch))]);
  const shown = new Set(onThem.map(({ branch }) => branch));
  const forgotten = ended.filter(({ headBranch }) => !shown.has(headBranch));
  await pullRequests.forget(forgotten.map(({ id }) => id));
  return forgotten.length;
}
