import { setTimeout as delay } from 'node:timers/promises';
import { thisCheckout } from '../stage/checkout.ts';
import { processesOf } from '../stage/cpu.ts';
import { type Fleet, openFleet } from '../stage/fleet.ts';
import type { Homes } from '../stage/homes.ts';
import { report, say } from '../stage/report.ts';
import { ms } from '../stage/sample.ts';
import { withSilentHosts } from '../stage/silent-hosts.ts';

const windowMs = 10_000;
const lookEveryMs = 50;
/** After how long without a beat a host counts as lost, in seconds: the minimum that can be set. */
const patienceSeconds = 30;

interface Host {
  readonly id: string;
  readonly state: string;
  readonly seenAt: string;
}

/**
 * Measures what hosts cost the registry: when they join, beat, return after its restart, and are lost. With
 * `--against DIR`, compares with another checkout.
 */
export async function benchHosts(homes: Homes, sizes: readonly number[], against?: string): Promise<void> {
  const [agents = 10_000, hosts = 100] = sizes;
  const rows: string[][] = [];
  for (const checkout of [thisCheckout, ...(against === undefined ? [] : [against])]) {
    const name = checkout === thisCheckout ? 'this' : checkout;
    say(`${name}: storing ${agents} live agents on ${hosts} hosts`);
    const started = performance.now();
    const fleet = await openFleet(homes, { name, checkout, agents, hosts });
    try {
      const joined = [performance.now() - started, fleet.registryCpu()] as const;
      rows.push(...(await measure(fleet, hosts, joined)).map(([what = '', ...rest]) => [what, name, ...rest]));
    } finally {
      await fleet.stop();
    }
  }
  const cells = rows.toSorted(([one = ''], [other = '']) => (one < other ? -1 : one > other ? 1 : 0));
  report('hosts', `${agents} live agents on ${hosts} simulated hosts`, ['what', 'on', 'time', 'registry’s CPU'], cells);
}

async function measure(fleet: Fleet, hosts: number, joined: readonly [number, number]): Promise<string[][]> {
  await delay(3_000);
  const beating = await idle(fleet);
  const resting = await withSilentHosts(fleet, () => idle(fleet));
  await allSeen(fleet, hosts, Date.now());
  const restart = await restartRegistry(fleet, hosts);
  return [
    ['1 stored, started and taken up by all hosts', ms(joined[0]), ms(joined[1])],
    ['2 beats of all hosts, of a core', '', `${((beating - resting) * 100).toFixed(2)} %`],
    ['2 nothing at all, of a core', '', `${(resting * 100).toFixed(2)} %`],
    ['3 all hosts known again after kill -9', ms(restart.took), ms(restart.cpu)],
    ...(await loseAll(fleet)),
  ];
}

/** The registry's share of a core. */
async function idle(fleet: Fleet): Promise<number> {
  const [before, started] = [fleet.registryCpu(), performance.now()];
  await delay(windowMs);
  return (fleet.registryCpu() - before) / (performance.now() - started);
}

async function restartRegistry(fleet: Fleet, hosts: number): Promise<{ readonly took: number; readonly cpu: number }> {
  const [pid] = processesOf(/muster\.mjs registry/, fleet.home);
  if (pid === undefined) throw new Error('the registry does not run');
  const [since, started] = [Date.now(), performance.now()];
  process.kill(pid, 'SIGKILL');
  await allSeen(fleet, hosts, since);
  return { took: performance.now() - started, cpu: fleet.registryCpu() };
}

/** All hosts are lost at once, as when a network is cut. */
async function loseAll(fleet: Fleet): Promise<string[][]> {
  const all = await listHosts(fleet);
  for (const { id } of all) await fleet.call('UpdateHost', { hostId: id, patienceSeconds }).catch(() => undefined);
  const before = fleet.registryCpu();
  return withSilentHosts(fleet, async () => {
    const started = performance.now();
    await until(async () => (await listHosts(fleet)).every(({ state }) => state === 'HOST_STATE_LOST'));
    const took = performance.now() - started;
    return [
      [`4 all hosts lost, ${patienceSeconds} s after their last beats`, ms(took), ms(fleet.registryCpu() - before)],
    ];
  });
}

async function allSeen(fleet: Fleet, hosts: number, since: number): Promise<void> {
  await until(async () => {
    const all = await listHosts(fleet).catch(() => []);
    return all.length === hosts && all.every(({ seenAt }) => Date.parse(seenAt) > since);
  });
}

async function listHosts(fleet: Fleet): Promise<readonly Host[]> {
  return (await fleet.call<{ hosts: readonly Host[] }>('ListHosts')).hosts;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(lookEveryMs);
}
