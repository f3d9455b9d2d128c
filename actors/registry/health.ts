import { readBackupRecord } from '#actors/registry/backup/backup-record.ts';
import { backupReadiness } from '#actors/registry/backup/backup-state.ts';
import { isNewHost } from '#actors/registry/host/new-hosts.ts';
import { isOnline } from '#actors/registry/host/online.ts';
import type { Endpoint } from '#bus/bus.ts';
import { figuresSubject, readySubject } from '#bus/subjects.ts';
import type { RegistryFigures, RegistryName, RegistryReadiness } from '#contract/wire/figures.ts';
import type { RegistryHolder } from '#contract/wire/registry-lease.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { machineNames } from '#machines/chart/definitions.ts';
import type { Tables } from '#store/tables.ts';
import { ProcessGauge } from '#world/process/process-figures.ts';
import type { RegistryScope } from './registry-scope.ts';

/** How long an answer is reused, in milliseconds. This limits the load on the database, however many callers ask. */
const reusedMs = 1_000;
/** The setting that a readiness check writes and removes. */
const probeSetting = 'last-look';
/** Machines whose instances are counted by a column, which is cheaper than reading their snapshots. */
const countedByColumn = ['agent', 'firing'];

type HealthScope = Pick<
  RegistryScope,
  'store' | 'bus' | 'holder' | 'clock' | 'lateness' | 'peers' | 'beatBuffer' | 'work' | 'backups'
>;

/** The registry's readiness and metrics. */
export class Health {
  readonly #scope: HealthScope;
  readonly #gauge = new ProcessGauge();
  /** Checks that the database can be read and written. @throws Failure when it cannot */
  readonly ready = reuseRecent(() => this.#observe());
  readonly #figures = reuseRecent(() => this.#count());

  constructor(scope: HealthScope) {
    this.#scope = scope;
  }

  /** The endpoints that gateways call. */
  get endpoints(): readonly Endpoint[] {
    return [
      { name: 'ready', subject: readySubject, handle: () => this.ready() },
      { name: 'figures', subject: figuresSubject, handle: () => this.#figures() },
    ];
  }

  stop(): void {
    this.#gauge.stop();
  }

  /**
   * Reads the database and writes to it, because a database that is full or locked can still be read.
   * @throws Failure when it cannot be written
   */
  async #observe(): Promise<RegistryReadiness> {
    const { store, clock, holder, peers } = this.#scope;
    return store.probe(async ({ settings, hosts }) => {
      await settings.put(probeSetting, String(clock.now()));
      await settings.drop(probeSetting);
      // No agent is placed on a new host by default, so new hosts do not make the registry ready.
      const known = (await hosts.all()).filter((host) => !isNewHost(host));
      return {
        registry: nameOf(holder),
        peers: peers.others.map(nameOf),
        hosts: { online: known.filter(isOnline).length, known: known.length },
        installation: holder.installation,
        backups: await backupReadiness(this.#scope, { settings }),
      };
    });
  }

  async #count(): Promise<RegistryFigures> {
    const { store, bus, lateness, work, holder, peers } = this.#scope;
    const { firings, hosts, instances, backup, ...stored } = await store.read(async (tables) => ({
      ...(await tables.figures.read()),
      backup: await readBackupRecord(tables),
      instances: await countInstances(tables),
      hosts: await this.#hosts(tables),
    }));
    const ofFirings = Object.entries(firings).map(([state, count]) => ({ machine: 'firing', state, count }));
    return {
      registry: nameOf(holder),
      peers: peers.others.map((other) => other.instance),
      ...stored,
      ...store.figures(),
      lives: [...instances, ...ofFirings],
      hosts,
      ...(backup.last && { lastBackupAt: Date.parse(backup.last.takenAt) / 1_000 }),
      lateness: lateness.read(),
      pollers: work.pollers(),
      workers: work.workers(),
      process: this.#gauge.read(),
      bus: bus.figures,
    };
  }

  async #hosts({ hosts, agents }: Tables): Promise<RegistryFigures['hosts']> {
    const placed = await agents.countPlaced();
    const figures = await hosts.figures();
    return (await hosts.all()).map((host) => {
      const known = { id: host.id, online: isOnline(host), agents: placed.get(host.id)?.agents ?? 0 };
      // A new host may have another host's name, which would mix up their metrics, and may report anything.
      if (isNewHost(host)) return { ...known, name: host.id };
      return {
        ...known,
        name: host.name,
        load: this.#scope.beatBuffer.freshen(host).condition?.load,
        figures: figures.get(host.id),
      };
    });
  }
}

function nameOf({ machine, instance }: RegistryHolder): RegistryName {
  return { machine, instance };
}

async function countInstances({ surveys }: Tables): Promise<{ machine: string; state: string; count: number }[]> {
  const instances = [];
  for (const machine of machineNames.filter((name) => !countedByColumn.includes(name))) {
    for (const { value, count } of await surveys.counts(machine))
      instances.push({ machine, state: phaseOf(value), count });
  }
  return instances;
}

/**
 * Runs `work` when called, and returns the same promise to everyone who calls within `reusedMs`, also if it rejects.
 */
function reuseRecent<T>(work: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at > reusedMs) last = { at: now, answer: work() };
    return last.answer;
  };
}
