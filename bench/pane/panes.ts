import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openStream, type StreamCall } from '#test/gateway/stream-call.ts';
import { endTerminals } from '#test/support/pieces.ts';
import type { Pane } from '#world/terminal/terminal.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';
import { cpuOf, processesOf } from '../stage/cpu.ts';
import type { Homes } from '../stage/homes.ts';
import { type BenchInstallation, install } from '../stage/installation.ts';
import { report, say } from '../stage/report.ts';
import { ms, quantile, times } from '../stage/sample.ts';
import { seed } from '../stage/seed.ts';
import { PaneStage, type StagedState } from './pane-stage.ts';

/** The default number of panes. */
const defaultSizes = [10, 50, 200, 500] as const;
/** One pane in ten shows a spinner that turns ten times a second. */
const animatingShare = 0.1;
const cpuWindowMs = 20_000;
const transitions = 600;
const betweenMs = 100;
/** The states that a pane shows, repeated. */
const round: readonly StagedState[] = [
  'AGENT_STATE_THINKING',
  'AGENT_STATE_WAITING',
  'AGENT_STATE_THINKING',
  'AGENT_STATE_IDLE',
];
/** Soon after the start, every stored agent reports that its worktree is missing. This wait lets that pass. */
const quietAfterMs = 10_000;
/** How long a transition may take before it counts as missed, in milliseconds. */
const missedMs = 10_000;

/** The result for one size: latencies in milliseconds by the new state, CPU in percent of one core. */
interface Outcome {
  readonly latencies: ReadonlyMap<StagedState, readonly number[]>;
  readonly missed: number;
  /** From the start of muster until it watches all panes, in milliseconds. */
  readonly attachedMs: number;
  readonly watching: number;
  readonly behind: number;
  readonly polling: number;
  readonly captures: number;
}

/**
 * Measures how soon transitions are reported, and what watching costs compared with `tmux capture-pane` for each pane
 * twice a second.
 * @param sizes numbers of panes; empty for the default ones
 */
export async function benchPanes(homes: Homes, sizes: readonly number[] = []): Promise<void> {
  const outcomes = new Map<number, Outcome>();
  for (const size of sizes.length > 0 ? sizes : defaultSizes) {
    say(`${size} panes`);
    outcomes.set(size, { ...(await watched(homes, size)), ...(await polled(homes, size)) });
  }
  const rows = [...outcomes];
  report(
    'from the last byte of a screen to the fact on a watch',
    `${transitions} transitions, one every ${betweenMs} ms, 10 % of the panes animating at 10 Hz. IDLE settles for 200 ms first.`,
    ['panes', 'to', 'transitions', 'p50', 'p95', 'p99', 'missed'],
    rows.flatMap(([size, { latencies, missed }]) =>
      [...latencies].map(([state, took]) => [
        String(size),
        state.replace('AGENT_STATE_', ''),
        String(took.length),
        ...[0.5, 0.95, 0.99].map((share) => ms(quantile(took, share))),
        String(missed),
      ]),
    ),
  );
  report(
    'CPU of watching panes',
    `In percent of one core over ${cpuWindowMs / 1000} s, including tmux; the rest is registry, gateway and bus. Polling: a spawned tmux capture-pane a pane each 500 ms, one tmux server.`,
    ['panes', 'attached in', 'host and its tmux', 'the rest', 'polling', 'captures a second', 'polling to muster'],
    rows.map(([size, { attachedMs, watching, behind, polling, captures }]) => [
      String(size),
      `${(attachedMs / 1000).toFixed(1)} s`,
      `${watching.toFixed(1)} %`,
      `${behind.toFixed(1)} %`,
      `${polling.toFixed(1)} %`,
      `${captures.toFixed(0)} of ${size * 2}`,
      times(polling / watching),
    ]),
  );
}

const sleeper = { name: 'staged', cwd: '/', argv: ['sleep', 'infinity'], env: {} };
const animatedOf = (size: number) => Array.from({ length: Math.round(size * animatingShare) }, (_, place) => place);

/** Measures all of muster on panes that it adopts. */
async function watched(homes: Homes, size: number): Promise<Omit<Outcome, 'polling' | 'captures'>> {
  const home = homes.empty();
  const ids = await seed(home, { live: size });
  const terminals = createTmuxTerminals({
    runDir: join(home, 'run'),
    environment: { PATH: process.env['PATH'] ?? '' },
  });
  const panes: Pane[] = [];
  for (const id of ids) panes.push(await (await terminals.of(id)).open({ ...sleeper, agentId: id }));
  await terminals.detach();
  const stage = new PaneStage(panes.map(({ pid }) => pid));
  for (const place of panes.keys()) stage.paint(place, 'AGENT_STATE_IDLE');
  const start = performance.now();
  const muster = await install(home, 'own');
  try {
    while (processesOf(/ attach-session /, home).length < size) await delay(250);
    const attachedMs = performance.now() - start;
    await delay(quietAfterMs);
    stage.animate(animatedOf(size));
    const measured = await measureTransitions(muster, stage, ids);
    for (const place of animatedOf(size)) stage.paint(place, 'AGENT_STATE_THINKING');
    await delay(1_000);
    const own = processesOf(/muster\.mjs host|tmux/, home);
    const others = processesOf(/muster\.mjs (?:registry|gateway)|nats-server/, home);
    const [watching = 0, behind = 0] = await cpuDuring(own, others);
    return { ...measured, attachedMs, watching, behind };
  } finally {
    await stage.close();
    await muster.stop();
  }
}

/** Measures polling on the same panes with the same animation, in one tmux server. */
async function polled(homes: Homes, size: number): Promise<Pick<Outcome, 'polling' | 'captures'>> {
  const run = join(homes.empty(), 'run');
  const terminals = createTmuxTerminals({ runDir: run, environment: { PATH: process.env['PATH'] ?? '' } });
  const terminal = await terminals.of('agt_all');
  const panes: Pane[] = [];
  for (let place = 0; place < size; place += 1)
    panes.push(await terminal.open({ ...sleeper, agentId: `agt_${place}` }));
  await terminals.detach();
  const stage = new PaneStage(panes.map(({ pid }) => pid));
  for (const place of panes.keys()) stage.paint(place, 'AGENT_STATE_IDLE');
  stage.animate(animatedOf(size));
  const socket = join(run, 'agt_all.sock');
  const program = fileURLToPath(new URL('./poller.ts', import.meta.url));
  const poller = fork(program, [socket, ...panes.map(({ paneId }) => paneId)]);
  const captures = async (): Promise<number> => {
    poller.send('count');
    return ((await once(poller, 'message')) as [number])[0];
  };
  try {
    await delay(2_000);
    const before = await captures();
    const [polling = 0] = await cpuDuring([...processesOf(/tmux/, socket), poller.pid ?? 0]);
    return { polling, captures: ((await captures()) - before) / (cpuWindowMs / 1000) };
  } finally {
    poller.disconnect();
    await stage.close();
    await endTerminals(run);
  }
}

/** The share of one core that each group of processes takes, in percent. */
async function cpuDuring(...groups: readonly (readonly number[])[]): Promise<number[]> {
  const before = groups.map((group) => cpuOf(group));
  const start = performance.now();
  await delay(cpuWindowMs);
  const took = performance.now() - start;
  return groups.map((group, index) => (100 * (cpuOf(group) - (before[index] ?? 0))) / took);
}

interface PaintedState {
  readonly state: StagedState;
  readonly since: number;
}

/** Paints the next state into one pane after another, and waits for the fact of each. */
async function measureTransitions(muster: BenchInstallation, stage: PaneStage, ids: readonly string[]) {
  const port = Number(new URL(muster.url).port);
  const authorization = `Bearer ${muster.token}`;
  const watch = await openStream({ port }, '/fact.v1.FactService/WatchFacts', {}, { authorization });
  const latencies = new Map<StagedState, number[]>();
  const waiting = new Map<string, PaintedState>();
  const listening = listen(watch, (id, state) => {
    const painted = waiting.get(id);
    if (painted?.state !== state) return;
    waiting.delete(id);
    latencies.set(state, [...(latencies.get(state) ?? []), performance.now() - painted.since]);
  });
  await delay(2_000);
  const spinning = new Set(animatedOf(ids.length));
  for (let turn = 0; turn < transitions; turn += 1) {
    const place = turn % ids.length;
    const id = ids[place] ?? '';
    const end = performance.now() + missedMs;
    while (waiting.has(id) && performance.now() < end) await delay(5);
    const done = Math.floor(turn / ids.length) + (spinning.has(place) ? 1 : 0);
    const state = round[done % round.length] ?? 'AGENT_STATE_IDLE';
    stage.paint(place, state);
    waiting.set(id, { state, since: performance.now() });
    await delay(betweenMs);
  }
  const end = performance.now() + missedMs;
  while (waiting.size > 0 && performance.now() < end) await delay(5);
  await watch.close();
  await listening;
  return { latencies, missed: waiting.size };
}

async function listen(watch: StreamCall, onState: (id: string, state: StagedState) => void): Promise<void> {
  for (;;) {
    // Closing the watch cuts the connection.
    const frame = await watch.next().catch(() => undefined);
    if (frame === undefined) return;
    for (const { kind, subjectId, detail } of (frame.json['facts'] ?? []) as Record<string, string>[]) {
      if (kind === 'agent.state-moved') onState(subjectId ?? '', JSON.parse(detail ?? '{}').to as StagedState);
    }
  }
}
