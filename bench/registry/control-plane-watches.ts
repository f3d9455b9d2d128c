import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { thisCheckout } from '../stage/checkout.ts';
import { cpuOf, processesOf } from '../stage/cpu.ts';
import { type Fleet, openFleet } from '../stage/fleet.ts';
import { moveFleet } from '../stage/fleet-moves.ts';
import type { Homes } from '../stage/homes.ts';
import { loadInWords, report, say } from '../stage/report.ts';
import { times } from '../stage/sample.ts';
import { withSilentHosts } from '../stage/silent-hosts.ts';
import { Watcher } from '../stage/watcher.ts';

const pages = 50;
const resumed = 1_000;
/** As many as one token may have open, less those that other parts of the bench open with it. */
const perToken = 60;
const windowMs = 8_000;
const lookEveryMs = 50;
const inFlight = 8;

/** What a fleet takes while so many watch it. */
interface Load {
  readonly movesPerSecond: number;
  /** CPU for one move, in milliseconds. */
  readonly registry: number;
  readonly gateway: number;
}

/**
 * What watches cost: fifty that open on a fleet, and a thousand that resume, beside moves and at rest; and what the
 * beats of the hosts alone cost. With `--against DIR` beside another checkout.
 */
export async function benchControlPlaneWatches(
  homes: Homes,
  sizes: readonly number[],
  against?: string,
): Promise<void> {
  const [agents = 10_000, hosts = 100] = sizes;
  const rows: string[][] = [];
  for (const checkout of [thisCheckout, ...(against === undefined ? [] : [against])]) {
    const name = checkout === thisCheckout ? 'this' : checkout;
    say(`${name}: storing ${agents} live agents on ${hosts} hosts`);
    const fleet = await openFleet(homes, { name, checkout, agents, hosts });
    try {
      rows.push(...(await measure(fleet)).map(([what = '', ...rest]) => [what, name, ...rest]));
    } finally {
      await fleet.stop();
    }
  }
  const cells = rows.toSorted(([one = ''], [other = '']) => (one < other ? -1 : one > other ? 1 : 0));
  report(
    'watches',
    `${agents} live agents on ${hosts} simulated hosts, ${inFlight} moves in flight where there are moves; ${loadInWords()}`,
    ['what', 'on', 'measured', 'wanted'],
    cells,
  );
}

async function measure(fleet: Fleet): Promise<string[][]> {
  await delay(3_000);
  const beating = await idle(fleet);
  const still = await withSilentHosts(fleet, () => idle(fleet));
  await moving(fleet, 2_000);
  const alone = await moving(fleet);
  const opening = await openPages(fleet);
  const one = await withWatches(fleet, 1);
  const fifty = await withWatches(fleet, pages);
  const many = await resume(fleet);
  return [
    ['1 beats of the hosts alone, of a core', percent(beating - still), '<= 1 %'],
    ['1 nothing at all, of a core', percent(still), ''],
    ['2 pages open until all have every row', `${opening.openMs.toFixed(0)} ms`, '<= 3,000 ms'],
    ['2 memory of registry and gateway grows by', `${opening.grownMib.toFixed(0)} MiB`, '<= 60 MiB'],
    ['2 moves meanwhile, to those without', times(opening.movesPerSecond / alone.movesPerSecond), '>= 0.9'],
    ['3 CPU of the registry a move, one watch', `${one.registry.toFixed(2)} ms`, ''],
    ['3 CPU of the registry a move, fifty to one', times(fifty.registry / one.registry), '<= 1.15'],
    ['3 CPU of the gateway a move, one and fifty', `${one.gateway.toFixed(2)}, ${fifty.gateway.toFixed(2)} ms`, ''],
    ['3 moves with fifty, to those without', times(fifty.movesPerSecond / alone.movesPerSecond), '>= 0.9'],
    ['4 idle registry with a thousand, of a core', percent(many.idle), '<= 2 % (with the beats)'],
    ['4 moves with a thousand, to those without', times(many.movesPerSecond / alone.movesPerSecond), '>= 0.9'],
    ['5 moves a second, nobody watching', alone.movesPerSecond.toFixed(0), ''],
  ];
}

/** What the registry takes of a core while nothing moves. */
async function idle(fleet: Fleet): Promise<number> {
  const [before, started] = [fleet.registryCpu(), performance.now()];
  await delay(windowMs);
  return (fleet.registryCpu() - before) / (performance.now() - started);
}

async function moving(fleet: Fleet, forMs = windowMs): Promise<Load> {
  const gateways = processesOf(/muster\.mjs gateway/, fleet.home);
  const [registry, gateway, started] = [fleet.registryCpu(), cpuOf(gateways), performance.now()];
  const { took } = await moveFleet(fleet.home, { inFlight, forMs });
  return {
    movesPerSecond: (took.length * 1_000) / (performance.now() - started),
    registry: (fleet.registryCpu() - registry) / took.length,
    gateway: (cpuOf(gateways) - gateway) / took.length,
  };
}

async function openPages(fleet: Fleet): Promise<{ openMs: number; grownMib: number; movesPerSecond: number }> {
  const pids = [/muster\.mjs gateway/, /muster\.mjs registry/].flatMap((one) => processesOf(one, fleet.home));
  const before = residentOf(pids);
  let most = before;
  const look = setInterval(() => {
    most = Math.max(most, residentOf(pids));
  }, lookEveryMs);
  const moves = moveFleet(fleet.home, { inFlight, forMs: windowMs });
  const started = performance.now();
  const watchers = Array.from({ length: pages }, () => new Watcher(fleet.url, fleet.token));
  await Promise.all(watchers.map(({ caughtUp }) => caughtUp));
  const openMs = performance.now() - started;
  const { took } = await moves;
  clearInterval(look);
  for (const one of watchers) one.close();
  await delay(500);
  return {
    openMs,
    grownMib: (most - before) / 2 ** 20,
    movesPerSecond: (took.length * 1_000) / (performance.now() - started),
  };
}

async function withWatches(fleet: Fleet, count: number): Promise<Load> {
  const watchers = Array.from({ length: count }, () => new Watcher(fleet.url, fleet.token));
  await Promise.all(watchers.map(({ caughtUp }) => caughtUp));
  const load = await moving(fleet);
  for (const one of watchers) one.close();
  await delay(500);
  return load;
}

/** A thousand watches of a person and of agents, which continue from where one was. */
async function resume(fleet: Fleet): Promise<{ idle: number; movesPerSecond: number }> {
  const first = new Watcher(fleet.url, fleet.token);
  await first.caughtUp;
  const { cursor } = first;
  first.close();
  const tokens = [fleet.token];
  for (const agentId of fleet.agentIds.slice(0, Math.ceil(resumed / perToken))) {
    tokens.push((await fleet.call<{ token: string }>('IssueAgentToken', { agentId })).token);
  }
  const watchers: Watcher[] = [];
  while (watchers.length < resumed) {
    const token = tokens[Math.floor(watchers.length / perToken)] ?? '';
    const some = Array.from({ length: perToken }, () => new Watcher(fleet.url, token, cursor));
    await Promise.all(some.map(({ caughtUp }) => caughtUp));
    watchers.push(...some);
  }
  await delay(2_000);
  const atRest = await idle(fleet);
  const { movesPerSecond } = await moving(fleet);
  for (const one of watchers) one.close();
  return { idle: atRest, movesPerSecond };
}

function residentOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return sum + Number(kib) * 1_024;
  }, 0);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
