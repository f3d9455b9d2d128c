import { thisCheckout } from '../stage/checkout.ts';
import { type Fleet, type FleetSize, openFleet } from '../stage/fleet.ts';
import type { Homes } from '../stage/homes.ts';
import { report, say } from '../stage/report.ts';
import { median, ms, quantile, times } from '../stage/sample.ts';
import { type Load, loads, type Outcome } from './control-plane-loads.ts';
import { postgresForBench } from './control-plane-postgres.ts';

const defaultSize: FleetSize = { agents: 10_000, hosts: 100 };
const rounds = 3;
const roundMs = 3_000;
const warmUpMs = 1_000;

/** The results of the rounds of one load on one fleet. */
interface Result {
  readonly perSecond: number[];
  /** The registry's CPU time per call, in milliseconds. */
  readonly cpu: number[];
  readonly took: number[];
}

/**
 * Measures the throughput of one registry with live agents on simulated hosts, in turn: on SQLite, on PostgreSQL and,
 * with `--against DIR`, on the SQLite of another checkout of muster.
 * @param sizes the numbers of agents and hosts
 */
export async function benchControlPlane(homes: Homes, sizes: readonly number[], against?: string): Promise<void> {
  const [agents = defaultSize.agents, hosts = defaultSize.hosts] = sizes;
  const postgres = await postgresForBench();
  const fleets: Fleet[] = [];
  try {
    const size = { agents, hosts };
    say(`storing ${agents} live agents on ${hosts} hosts for each fleet`);
    fleets.push(await openFleet(homes, { name: 'SQLite', checkout: thisCheckout, ...size }));
    if (against !== undefined) fleets.push(await openFleet(homes, { name: against, checkout: against, ...size }));
    fleets.push(await openFleet(homes, { name: 'PostgreSQL', checkout: thisCheckout, ...size, database: postgres }));
    const rows: string[][] = [];
    for (const load of loads) rows.push(...rowsOf(load, await measure(load, fleets)));
    report(
      'control plane',
      `${agents} live agents on ${hosts} simulated hosts; medians of ${rounds} rounds of ${roundMs / 1_000} s each, in turn; ` +
        'callers, hosts and servers share the cores.',
      ['what', 'on', 'a second', 'to SQLite', 'p50', 'p99', 'CPU of the registry each'],
      rows,
    );
  } finally {
    for (const fleet of fleets) await fleet.stop();
    postgres.remove();
  }
}

async function measure(load: Load, fleets: readonly Fleet[]): Promise<Map<Fleet, Result>> {
  const results = new Map(fleets.map((fleet) => [fleet, { perSecond: [], cpu: [], took: [] } as Result]));
  for (const fleet of fleets) await load.run(fleet, warmUpMs);
  for (let round = 0; round < rounds; round += 1) {
    for (const [fleet, result] of results) {
      const before = fleet.registryCpu();
      const { took, elapsedMs }: Outcome = await load.run(fleet, roundMs);
      result.perSecond.push((took.length * 1_000) / elapsedMs);
      result.cpu.push((fleet.registryCpu() - before) / took.length);
      for (const one of took) result.took.push(one);
    }
  }
  return results;
}

function rowsOf({ name }: Load, results: Map<Fleet, Result>): string[][] {
  const [first] = [...results.values()].map(({ perSecond }) => median(perSecond));
  return [...results].map(([fleet, { perSecond, cpu, took }], row) => [
    row === 0 ? name : '',
    fleet.name,
    median(perSecond).toFixed(0),
    times(median(perSecond) / (first ?? Number.NaN)),
    ms(median(took)),
    ms(quantile(took, 0.99)),
    `${median(cpu).toFixed(2)} ms`,
  ]);
}
