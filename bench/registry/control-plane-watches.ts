import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { thisCheckout } from '../stage/checkout.ts';
import { cpuOf, processesOf } from '../stage/cpu.ts';
import { type Fleet, openFleet } from '../stage/fleet.ts';
import { driveTransitions } from '../stage/fleet-transitions.ts';
import type { Homes } from '../stage/homes.ts';
import { loadInWords, report, say } from '../stage/report.ts';
import { times } from '../stage/sample.ts';
import { withSilentHosts } from '../stage/silent-hosts.ts';
import { Watcher } from '../stage/watcher.ts';

const pages = 50;
const resumed = 1_000;
/** How many watches each token opens: its limit, minus those of other parts of the bench. */
const perToken = 60;
const windowMs = 8_000;
/** How long the work of a start takes that follows later, such as what hosts ask for every half minute, in milliseconds. */
const settlesWithin = 40_000;
/** How long nothing happens but beats, in milliseconds. After half a minute without one, hosts count as silent. */
const idleMs = 20_000;
const sampleEveryMs = 50;
const inFlight = 8;

/** What the service does and uses under watches. */
interface Load {
  readonly transitionsPerSecond: number;
  /** CPU time per transition, in milliseconds. */
  readonly registry: number;
  readonly gateway: number;
}

/**
 * Measures what watches cost: fifty that open, and a thousand that resume, under transitions and idle; and what the
 * hosts' beats cost. With `--against DIR`, compares with another checkout.
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
    `${agents} live agents on ${hosts} simulated hosts, ${inFlight} transitions in flight, if any; ${loadInWords()}`,
    ['what', 'on', 'measured', 'target'],
    cells,
  );
}

async function measure(fleet: Fleet): Promise<string[][]> {
  // After the start it still works, and V8 still compiles.
  await underLoad(fleet, 2_000);
  await delay(settlesWithin);
  const beating = await idle(fleet);
  const still = await withSilentHosts(fleet, () => idle(fleet));
  // What the hosts send meanwhile arrives at once.
  await delay(windowMs);
  const alone = await underLoad(fleet);
  const opening = await openPages(fleet);
  const one = await withWatches(fleet, 1);
  const fifty = await withWatches(fleet, pages);
  const many = await resume(fleet);
  return [
    ['1 the hosts’ beats, of a core', percent(beating - still), '<= 1 %'],
    ['1 idle without beats, of a core', percent(still), ''],
    ['2 pages open, until all have every row', `${opening.openMs.toFixed(0)} ms`, '<= 3,000 ms'],
    ['2 memory growth of registry and gateway', `${opening.grownMib.toFixed(0)} MiB`, '<= 60 MiB'],
    [
      '2 transitions meanwhile, to those without',
      times(opening.transitionsPerSecond / alone.transitionsPerSecond),
      '>= 0.9',
    ],
    ['3 CPU of the registry per transition, one watch', `${one.registry.toFixed(2)} ms`, ''],
    ['3 CPU of the registry per transition, fifty to one', times(fifty.registry / one.registry), '<= 1.15'],
    [
      '3 CPU of the gateway per transition, one and fifty',
      `${one.gateway.toFixed(2)}, ${fifty.gateway.toFixed(2)} ms`,
      '',
    ],
    [
      '3 transitions with fifty, to those without',
      times(fifty.transitionsPerSecond / alone.transitionsPerSecond),
      '>= 0.9',
    ],
    ['4 idle registry with a thousand, of a core', percent(many.idle), '<= 2 % (with the beats)'],
    [
      '4 transitions with a thousand of programs, to those without',
      times(many.transitionsPerSecond / alone.transitionsPerSecond),
      '>= 0.9',
    ],
    ['5 transitions a second, nobody watching', alone.transitionsPerSecond.toFixed(0), ''],
  ];
}

/** The registry's share of a core without transitions. */
async function idle(fleet: Fleet): Promise<number> {
  const [before, started] = [fleet.registryCpu(), performance.now()];
  await delay(idleMs);
  return (fleet.registryCpu() - before) / (performance.now() - started);
}

async function underLoad(fleet: Fleet, forMs = windowMs): Promise<Load> {
  const gateways = processesOf(/muster\.mjs gateway/, fleet.home);
  const [registry, gateway, started] = [fleet.registryCpu(), cpuOf(gateways), performance.now()];
  const { took } = await driveTransitions(fleet.home, { inFlight, forMs });
  return {
    transitionsPerSecond: (took.length * 1_000) / (performance.now() - started),
    registry: (fleet.registryCpu() - registry) / took.length,
    gateway: (cpuOf(gateways) - gateway) / took.length,
  };
}

async function openPages(fleet: Fleet): Promise<{ openMs: number; grownMib: number; transitionsPerSecond: number }> {
  const pids = [/muster\.mjs gateway/, /muster\.mjs registry/].flatMap((pattern) => processesOf(pattern, fleet.home));
  const before = residentOf(pids);
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentOf(pids));
  }, sampleEveryMs);
  const transitions = driveTransitions(fleet.home, { inFlight, forMs: windowMs });
  const started = performance.now();
  const watchers = Array.from({ length: pages }, () => new Watcher(fleet.url, fleet.token));
  await Promise.all(watchers.map(({ caughtUp }) => caughtUp));
  const openMs = performance.now() - started;
  const { took } = await transitions;
  const transitionsPerSecond = (took.length * 1_000) / (performance.now() - started);
  clearInterval(sampling);
  for (const watcher of watchers) watcher.close();
  await delay(500);
  return { openMs, grownMib: (peak - before) / 2 ** 20, transitionsPerSecond };
}

async function withWatches(fleet: Fleet, count: number): Promise<Load> {
  const watchers = Array.from({ length: count }, () => new Watcher(fleet.url, fleet.token));
  await Promise.all(watchers.map(({ caughtUp }) => caughtUp));
  const load = await underLoad(fleet);
  for (const watcher of watchers) watcher.close();
  await delay(500);
  return load;
}

/** A thousand watches of a person and of agents, which resume from the same cursor. */
async function resume(fleet: Fleet): Promise<{ idle: number; transitionsPerSecond: number }> {
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
    const added = Array.from({ length: perToken }, () => new Watcher(fleet.url, token, cursor));
    await Promise.all(added.map(({ caughtUp }) => caughtUp));
    watchers.push(...added);
  }
  await delay(2_000);
  const atRest = await idle(fleet);
  const { transitionsPerSecond } = await underLoad(fleet);
  for (const watcher of watchers) watcher.close();
  return { idle: atRest, transitionsPerSecond };
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
