import { requestBytes } from '../stage/caller.ts';
import type { Homes } from '../stage/homes.ts';
import { type BenchInstallation, pathOfMethod } from '../stage/installation.ts';
import { report } from '../stage/report.ts';
import { median, ms, quantile } from '../stage/sample.ts';
import type { Load, Outcome } from './load-generator.ts';
import { forMs, openStage, type Stage } from './overload-stage.ts';
import { slowOnes } from './slow-connections.ts';

const peakConnections = 32;
const loads = [1, 2, 10] as const;
/**
 * How long a new gateway warms up, in milliseconds. A cold one would make the measured peak too low, and every figure
 * relative to it too good.
 */
const warmUpMs = 6_000;

interface Flood {
  readonly load: string;
  readonly offered: number;
  readonly outcome: Outcome;
  /** The peak of the gateway's resident memory, in MiB. */
  readonly memory: number;
  /** How much other programs used of the service's core and of the callers'. */
  readonly others: string;
}

/** Measures calls at ten times the capacity, and while a thousand connections are idle. */
export async function benchOverload(homes: Homes): Promise<void> {
  const stage = await openStage(await homes.withAgents(1_000), async (muster) => {
    const [id = ''] = await idsIn(muster);
    return requestBytes(muster.url, pathOfMethod('GetAgent'), muster.token, JSON.stringify({ agentId: id }));
  });
  try {
    await floods(stage);
    await slowOnes(stage, await idsIn(stage.muster));
  } finally {
    await stage.close();
  }
}

async function idsIn(muster: BenchInstallation): Promise<readonly string[]> {
  const { agents } = await muster.call<{ agents: { agent: { id: string } }[] }>('ListAgents');
  return agents.map(({ agent }) => agent.id);
}

async function floods(stage: Stage): Promise<void> {
  const atPeakLoad = { connections: peakConnections, warmMs: warmUpMs };
  const atPeak = await flood(stage, `${peakConnections} connections`, atPeakLoad);
  const peak = (atPeak.outcome.done.length * 1000) / forMs;
  const rows: Flood[] = [{ ...atPeak, offered: peak }];
  for (const factor of loads) {
    const perSecond = factor * peak;
    rows.push(await flood(stage, `${factor} x the peak`, { perSecond }));
  }
  const again = await flood(stage, 'the first again', atPeakLoad);
  rows.push({ ...again, offered: (again.outcome.done.length * 1000) / forMs });
  report(
    'overload: goodput and refusals',
    `GetAgent for ${forMs / 1000} s each, sent at a steady rate over 1,000 connections; ${stage.cores}. ` +
      "Others: how much other programs used of the service's core, and of the callers'.",
    [
      'load',
      'requested a second',
      'done a second',
      'to the peak',
      'done p50',
      'p99',
      'refused',
      'refusal p50',
      'p99',
      'failed',
      'unsent',
      'gateway',
      'others',
    ],
    rows.map(({ load, offered, outcome: { done, refused, failed, unsent }, memory, others }) => [
      load,
      offered.toFixed(0),
      ((done.length * 1000) / forMs).toFixed(0),
      `${((100 * done.length * 1000) / forMs / peak).toFixed(0)} %`,
      ms(median(done)),
      ms(quantile(done, 0.99)),
      String(refused.length),
      ...(refused.length > 0 ? [ms(median(refused)), ms(quantile(refused, 0.99))] : ['', '']),
      String(failed),
      String(unsent),
      `${memory.toFixed(0)} MiB`,
      others,
    ]),
  );
}

async function flood(stage: Stage, load: string, more: Partial<Load>): Promise<Flood> {
  let memory = 0;
  const look = setInterval(() => {
    memory = Math.max(memory, stage.memory());
  }, 100);
  const others = stage.others();
  const outcome = await stage.load(more);
  clearInterval(look);
  return { load, offered: more.perSecond ?? 0, outcome, memory, others: others() };
}
