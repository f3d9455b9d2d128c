import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { viewOf } from '#machines/agent/agent-view.ts';
import { begin } from '#machines/decide.ts';
import { scheduleDefinition } from '#machines/schedule/schedule.ts';
import type { StoredSchedule } from '#store/schedule/schedule-entity.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { openStore } from '#store/store.ts';
import { moment } from '#test/support/moment.ts';
import { randomFrom } from '#test/support/random.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const minute = 60_000;
const keeper = fileURLToPath(new URL('./schedule-keeper.ts', import.meta.url));

/**
 * A time that runs faster than the real one: it shows `began` when the real one shows `started`, in milliseconds since
 * 1970.
 */
export function simulatedTime(began: number, started: number, pace: number): number {
  return began + (Date.now() - started) * pace;
}

/** How hard a storm is. */
interface Storm {
  /** How many schedules fire every minute, and for how many minutes. */
  readonly schedules: number;
  readonly minutes: number;
  /** How often one of the two schedulers is killed, in milliseconds. */
  readonly killEvery: number;
  /** What decides whom and when; the same seed kills in the same order. */
  readonly seed?: number;
  /** How many writes in a thousand fail at their end. */
  readonly failing: number;
  /** How much faster than the real time the simulated one runs. */
  readonly pace: number;
}

/** What came of a storm. */
export interface Aftermath {
  readonly expected: number;
  readonly found: number;
  readonly missing: number;
  readonly doubled: number;
  readonly kills: number;
}

/**
 * Two schedulers on one database, killed at random moments, while every schedule fires each minute: what is on record
 * then.
 */
export async function storm({
  schedules,
  minutes,
  killEvery,
  failing,
  pace,
  seed = 20_261_121,
}: Storm): Promise<Aftermath> {
  const folder = temporaryFolder('storm');
  const file = join(folder.path, 'muster.db');
  const began = Math.ceil(Date.now() / minute) * minute;
  const until = began + minutes * minute;
  await seedSchedules(file, schedules, began);
  const started = Date.now();
  const random = randomFrom(seed);
  const args = [file, began, started, pace, until, failing];
  const start = (): ChildProcess =>
    fork(keeper, [...args, Math.floor(random() * 2 ** 31)].map(String), {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  const keepers = [start(), start()];
  let kills = 0;
  try {
    while (simulatedTime(began, started, pace) < until) {
      await pause(killEvery * (0.5 + random()));
      const victim = Math.floor(random() * keepers.length);
      await end(keepers[victim]);
      keepers[victim] = start();
      kills += 1;
    }
    return { kills, ...(await settle(file, schedules, minutes, began)) };
  } finally {
    await Promise.all(keepers.map(end));
    folder.remove();
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Makes schedules that fire every minute from a time on. */
export async function seedSchedules(file: string, count: number, began: number): Promise<void> {
  const store = await openStore({ engine: new SqliteEngine(file), clock: { now: () => began }, viewOf });
  const { snapshot } = begin(scheduleDefinition, { enabled: true });
  const schedule = (index: number): Omit<StoredSchedule, 'version' | 'movedSeq'> => ({
    id: `sch_${String(index).padStart(6, '0')}`,
    name: `schedule ${index}`,
    cron: '* * * * *',
    timezone: 'UTC',
    hideAgents: false,
    prompt: 'Look',
    workflowId: 'wfl_none',
    missed: 'run-all',
    catchUp: 366 * 86_400_000,
    overlap: 'allow',
    jitter: 0,
    maxAttempts: 3,
    pauseAfter: 0,
    isolation: null,
    snapshot,
    decidedUpTo: began,
    nextAt: began + minute,
    createdAt: began,
    updatedAt: began,
  });
  await store.write(async (tables) => {
    const rows = Array.from({ length: count }, (_, index) => ({ row: schedule(index) }));
    await tables.instances.begin('schedule', rows);
  });
  await store.close();
}

/** Waits until both schedulers have caught up, and counts. */
async function settle(
  file: string,
  schedules: number,
  minutes: number,
  began: number,
): Promise<Omit<Aftermath, 'kills'>> {
  const store = await openStore({ engine: new SqliteEngine(file), clock: { now: Date.now }, viewOf });
  try {
    const end = began + minutes * minute;
    const isOver = async () => (await store.read((tables) => tables.schedules.due(end, 1))).length === 0;
    // What is not caught up by then is counted as missing.
    await moment('both to have caught up', isOver, 300_000).catch(() => undefined);
    let [found, missing] = [0, 0];
    for (let index = 0; index < schedules; index += 1) {
      const id = `sch_${String(index).padStart(6, '0')}`;
      const rows = await store.read((tables) => tables.firings.page(id, undefined, minutes * 2 + 10));
      const times = new Set(rows.map(({ scheduledFor }) => scheduledFor));
      found += rows.length;
      for (let at = began + minute; at <= end; at += minute) if (!times.has(at)) missing += 1;
    }
    const expected = schedules * minutes;
    return { expected, found, missing, doubled: found - (expected - missing) };
  } finally {
    await store.close();
  }
}
