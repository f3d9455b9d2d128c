import { change } from '#actors/registry/agent/change.ts';
import type { WriteScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { readSweepContext, type SweepPace } from '#machines/forge/sweep-context.ts';
import type { AgentBranch } from '#store/agent/agent-table.ts';
import type { StoredRepository } from '#store/forge/repository-entity.ts';
import type { Tables } from '#store/tables.ts';
import { branchesByConfirmation } from './confirmed-repositories.ts';
import type { Forges } from './forges.ts';
import { addRepository, addressOf, advanceRepository, placeOnForge } from './repositories.ts';
import { reportUnconfirmed, unreportedRepositories } from './unconfirmed.ts';

type Scope = WriteScope & { readonly forges: Forges };

/** A repository that agents use. */
interface UsedRepository {
  /** As the first of them spells it. */
  readonly url: string;
  readonly alive: boolean;
  readonly busyBranches: ReadonlySet<string>;
  /** The connection to its forge; undefined if that is not connected. */
  readonly connection: string | undefined;
}

/** The branches of a repository that agents are on, under any of its names. */
export function branchesOf(named: readonly AgentBranch[], repository: StoredRepository): string[] {
  const found = named.filter(({ repositoryUrl }) => isNameOf(repository, repositoryUrl));
  return [...new Set(found.flatMap(({ branch }) => branch ?? []))];
}

/** Whether an address names a repository. */
export function isNameOf({ address, place }: StoredRepository, url: string): boolean {
  const asked = addressOf(url);
  return asked === address || asked === place;
}

/**
 * Schedules sweeps of every repository that agents use and people confirmed, at the pace that they need, and stops
 * sweeping the others.
 */
export async function refreshRepositories(scope: Scope): Promise<void> {
  const { confirmed, unreported } = await scope.store.read(async (tables) => {
    const named = await branchesByConfirmation(tables);
    return { ...named, unreported: await unreportedRepositories(tables, named.unconfirmed) };
  });
  const wanted = await byAddress(confirmed, scope);
  const isNews = await scope.store.read(async (tables) => (await planSteps(tables, wanted)).length > 0);
  if (!isNews && unreported.length === 0) return;
  await change(scope, async (writing) => {
    for (const one of unreported) await reportUnconfirmed(writing, one);
    for (const step of await planSteps(writing.tables, wanted)) await step(writing);
  });
}

async function byAddress(
  named: readonly AgentBranch[],
  { forges }: Pick<Scope, 'forges'>,
): Promise<ReadonlyMap<string, UsedRepository>> {
  const wanted = new Map<string, UsedRepository>();
  const connections = new Map<string, string | undefined>();
  for (const [address, found] of Map.groupBy(named, ({ repositoryUrl }) => addressOf(repositoryUrl))) {
    const [{ repositoryUrl: url } = { repositoryUrl: address }] = found;
    const host = placeOnForge(url)?.host;
    if (host === undefined) continue;
    if (!connections.has(host)) connections.set(host, (await forges.forHost(host))?.connectionId);
    const busy = found.filter(({ alive }) => alive);
    const busyBranches = new Set(busy.flatMap(({ branch }) => branch ?? []));
    wanted.set(address, { url, alive: busy.length > 0, busyBranches, connection: connections.get(host) });
  }
  return wanted;
}

type Step = (writing: Change) => Promise<unknown>;

/** The changes that adapt all sweeps to the agents' needs; undefined if there are none. */
async function planSteps(tables: Tables, wanted: ReadonlyMap<string, UsedRepository>): Promise<Step[]> {
  const known = await tables.repositories.named([...wanted.keys()]);
  const steps: Step[] = [];
  const kept = new Set<string>();
  const paces = new Map<StoredRepository, { pace: SweepPace; connection: string }>();
  const openBranches = await tables.pullRequests.openBranches([...new Set([...known.values()].map(({ id }) => id))]);
  for (const [address, one] of wanted) {
    const { url, connection, alive } = one;
    const repository = known.get(address);
    if (connection === undefined) continue;
    if (repository === undefined) {
      const pace = alive ? 'live' : 'idle';
      steps.push((writing) => addRepository(writing, { url, connection, pace }));
      continue;
    }
    kept.add(repository.id);
    const pace = paceOf(repository, one, openBranches);
    const other = paces.get(repository)?.pace;
    paces.set(repository, { pace: other === undefined ? pace : closer(other, pace), connection });
  }
  for (const [repository, { pace, connection }] of paces) {
    const isSame = repository.connection === connection && readSweepContext(repository.snapshot).pace === pace;
    if (isSame && repository.state !== 'dormant') continue;
    steps.push((writing) => {
      const event = { type: 'WANTED', now: writing.now, pace, spread: Math.random() } as const;
      return connect(writing, repository, connection, event);
    });
  }
  for (const repository of await tables.repositories.awake()) {
    const isHeld = repository.state !== 'resting' && repository.state !== 'backingOff';
    if (kept.has(repository.id) || isHeld) continue;
    steps.push((writing) => advanceRepository(writing, repository, { type: 'UNWANTED' }));
  }
  return steps;
}

/** Records the connection through which a repository is read, and schedules a sweep. */
async function connect(
  writing: Change,
  repository: StoredRepository,
  connection: string,
  event: Parameters<typeof advanceRepository>[2],
): Promise<void> {
  const noted = { connection };
  const advanced = await advanceRepository(writing, repository, event, noted);
  if (advanced === undefined) await writing.tables.repositories.connect(repository.id, connection);
}

function paceOf(
  { id }: StoredRepository,
  { alive, busyBranches }: UsedRepository,
  openBranches: ReadonlySet<string>,
): SweepPace {
  if ([...busyBranches].some((branch) => openBranches.has(`${id} ${branch}`))) return 'watched';
  return alive ? 'live' : 'idle';
}

function closer(one: SweepPace, other: SweepPace): SweepPace {
  const order: readonly SweepPace[] = ['watched', 'live', 'idle'];
  return order.indexOf(one) <= order.indexOf(other) ? one : other;
}
