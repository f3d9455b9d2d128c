import { setTimeout as pause } from 'node:timers/promises';
import type { Host } from '#contract/host/host.ts';
import { moment } from '#test/support/moment.ts';
import { randomFrom } from '#test/support/random.ts';
import { audit, type Findings } from './audit.ts';
import type { CallRecord } from './caller.ts';
import { FactWatch } from './fact-watch.ts';
import { type Fault, isKill, planFaults, strike } from './fault.ts';
import { DrillFleet } from './fleet.ts';
import { DrillLoad } from './load.ts';

/** How a fleet is drilled. */
export interface DrillPlan {
  /** What decides the faults, their victims and their times. */
  readonly seed: number;
  readonly faults: number;
  /** Called with each fault once all is well again. */
  readonly onFault?: (outcome: FaultOutcome) => void;
}

/** What a fault did to callers. */
export interface FaultOutcome extends Fault {
  /** How long after the fault, or after its own beginning, a call was refused last, in milliseconds; 0 if none was. */
  readonly refusedMs: number;
  /** How long the longest refused call took until it was answered, in milliseconds. */
  readonly answeredMs: number;
  /** How many tries were refused, by their reasons. */
  readonly refusals: Readonly<Record<string, number>>;
  /** How long it took from the fault until all was well, in milliseconds. */
  readonly wholeMs: number;
  /** The call that took longest: its method, and when after the fault it was refused why. */
  readonly slowest: string;
}

/** What came of a drill. */
export interface Aftermath {
  readonly findings: Findings;
  readonly outcomes: readonly FaultOutcome[];
  /** Processes that ended on their own. */
  readonly died: readonly string[];
  readonly calls: number;
  /** How often watches were resumed. */
  readonly resumes: number;
  readonly seconds: number;
}

/** Works a fleet while it is struck by faults, one after the other, and checks what is left. */
export async function drill({ seed, faults, onFault = () => undefined }: DrillPlan): Promise<Aftermath> {
  const began = performance.now();
  const plan = planFaults(faults, randomFrom(seed));
  const fleet = await DrillFleet.start();
  const watches: FactWatch[] = [];
  try {
    const load = new DrillLoad(fleet);
    const urls = fleet.urls;
    for (const order of [urls, urls.toReversed(), urls, urls.toReversed()])
      watches.push(new FactWatch(order, fleet.token, '0'));
    for (const watch of watches) watch.start();
    await load.prepare();
    load.start();
    const outcomes: FaultOutcome[] = [];
    for (const fault of plan) {
      await pause(fault.afterMs);
      const struck = performance.now();
      await strike(fleet, fault);
      const isWhole = whole(fleet, load).then(() => performance.now());
      await isWhole;
      // Calls in progress may be refused only later.
      await load.caller.settled();
      const outcome = { ...fault, wholeMs: (await isWhole) - struck, ...refusedIn(load.caller.records, struck) };
      outcomes.push(outcome);
      onFault(outcome);
    }
    await load.stop();
    const findings = await audit(fleet, load, watches);
    return {
      findings,
      outcomes,
      died: fleet.died,
      calls: load.caller.records.length,
      resumes: watches.reduce((sum, { resumes }) => sum + resumes, 0),
      seconds: Math.round((performance.now() - began) / 1_000),
    };
  } finally {
    await Promise.all(watches.map((watch) => watch.stop()));
    await fleet.stop();
  }
}

/** Waits until every part has found the others again. */
async function whole(fleet: DrillFleet, load: DrillLoad): Promise<void> {
  await Promise.all([fleet.cluster.whole(), fleet.pair.whole()]);
  const isOnline = async () => {
    const { hosts } = await load.call<{ hosts: Host[] }>('host.v1.HostService/ListHosts', {});
    return hosts.every(({ state }) => state === 'HOST_STATE_ONLINE');
  };
  await moment('all hosts are online', isOnline, 120_000);
}

/** The refused ones of the calls in progress since a time. */
function refusedIn(records: readonly CallRecord[], since: number) {
  const refused = records.filter(({ ended, refusals }) => ended > since && refusals.some(({ at }) => at > since));
  const reasons = refused.flatMap(({ refusals }) =>
    refusals.filter(({ at }) => at > since).map(({ reason }) => reason),
  );
  const [slowest] = refused.toSorted((one, other) => other.ended - other.began - (one.ended - one.began));
  return {
    refusedMs: Math.max(
      0,
      ...refused.map(({ began, refusals }) => (refusals.at(-1)?.at ?? 0) - Math.max(began, since)),
    ),
    answeredMs: slowest === undefined ? 0 : slowest.ended - slowest.began,
    refusals: Object.fromEntries(
      Object.entries(Object.groupBy(reasons, (one) => one)).map(([k, v]) => [k, v?.length ?? 0]),
    ),
    slowest: slowest === undefined ? '' : callInWords(slowest, since),
  };
}

function callInWords({ method, began, ended, refusals }: CallRecord, since: number): string {
  const seconds = (at: number) => ((at - since) / 1_000).toFixed(1);
  const why = refusals.map(({ at, reason }) => `${reason} at ${seconds(at)}`);
  return `${method.split('/')[1]} from ${seconds(began)} to ${seconds(ended)} s (${why.join(', ')})`;
}

/** One fault and what it did, in one line. */
export function inWords({ kind, victim, lastsMs, refusedMs, wholeMs, refusals, slowest }: FaultOutcome): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const reasons = Object.entries(refusals).map(([reason, count]) => `${count} × ${reason}`);
  const lasts = lastsMs === 0 ? '' : ` for ${seconds(lastsMs)}`;
  const refused =
    reasons.length === 0 ? 'nothing refused' : `refused for ${seconds(refusedMs)} (${reasons.join(', ')})`;
  return [`${kind} ${victim}${lasts}: ${refused}`, `all well after ${seconds(wholeMs)}`, slowest]
    .filter(Boolean)
    .join('; ');
}

/** The kills of a drill that kept callers waiting for longer than they may. */
export function tooLong({ outcomes }: Aftermath, maxMs: number): readonly FaultOutcome[] {
  return outcomes.filter(({ kind, refusedMs }) => isKill(kind) && refusedMs > maxMs);
}
