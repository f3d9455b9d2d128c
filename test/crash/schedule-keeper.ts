// A scheduler in its own process, on a database that another one uses too: it decides what is due until it is killed.
// Arguments: the database's file, when the simulated time began, when that was in real time, its pace, when it ends,
// and how many writes in a thousand fail.

import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { FollowedSteps } from '#actors/registry/kernel/followed-steps.ts';
import { Waiters } from '#actors/registry/kernel/waiters.ts';
import { scheduleRound } from '#actors/registry/schedule/scheduler.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { openStore, type Store } from '#store/store.ts';
import { noPeers } from '#test/support/no-peers.ts';
import { randomFrom } from '#test/support/random.ts';
import { testIds } from '#test/support/test-clock.ts';
import { openLog } from '#world/log.ts';
import { simulatedTime } from './schedule-storm.ts';

const [file = '', began = '', started = '', pace = '', until = '', failing = '0', seed = '0'] = process.argv.slice(2);
const clock = { now: () => Math.min(simulatedTime(Number(began), Number(started), Number(pace)), Number(until)) };
const random = randomFrom(Number(seed));
const store = await openStore({ engine: new SqliteEngine(file), clock, viewOf });
/** Some writes fail at their very end, when all of their work is done. */
const unsteady: Store = {
  ...store,
  get writes() {
    return store.writes;
  },
  write: (work) =>
    store.write(async (tables) => {
      const done = await work(tables);
      if (random() * 1_000 < Number(failing)) throw new Error('the disk has failed');
      return done;
    }),
};
const log = openLog({ name: 'keeper', level: 'silent', folder: tmpdir() });
const bus = undefined as never;
const scope = {
  store: unsteady,
  clock,
  bus,
  log,
  ids: testIds(),
  waiters: new Waiters(clock, noPeers),
  completions: [],
  consequences: [],
  clockSteps: new FollowedSteps(0),
};
for (;;) {
  const more = await scheduleRound(scope).catch(() => false);
  if (!more) await pause(5);
}
