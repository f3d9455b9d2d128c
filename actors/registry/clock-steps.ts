import { change } from '#actors/registry/agent/change.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { correctForClock, shiftFirings } from '#actors/registry/schedule/clock-correction.ts';
import type { Tables } from '#store/store.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import type { SteadyClock } from '#world/steady-clock.ts';
import { makeAllDue } from './forge/make-all-due.ts';
import type { RegistryScope } from './registry-scope.ts';

/** The setting that holds the last step of the clock that registries share. */
const lastStep = 'clock-step';
/** Steps of about the same size within this many milliseconds are one. */
const [alikeWithin, sameSize] = [60_000, 2_000];

/** Checks the clock on request, one check at a time. `measureTime` reads the clock of a shared database. */
export function timeKeeper(
  scope: RegistryScope,
  clock: SteadyClock,
  measureTime: (() => Promise<void>) | undefined,
): () => Promise<void> {
  return () =>
    withMutex('clock of the registry', async () => {
      await measureTime?.();
      await followClock(scope, clock);
    });
}

/**
 * Follows the machine's clock if it has been set. Deadlines, leases, retries and the `seenAt` of hosts move with the
 * clock, in one write, so that remaining times stay the same. What depends on the time of day is checked again.
 */
async function followClock(scope: RegistryScope, clock: SteadyClock): Promise<void> {
  const by = clock.step();
  if (by === 0) return;
  scope.log.warn({ by }, 'the clock of this machine was set: deadlines keep their remaining time');
  const go = (milliseconds: number): void => {
    clock.follow(milliseconds);
    scope.beatBuffer.shift(milliseconds);
  };
  let followed = false;
  try {
    const shift = async (writing: Change): Promise<void> => {
      const { deadlines, hosts, leases, notices } = writing.tables;
      if (await isFirst(writing.tables, clock.now() + (followed ? 0 : by), by)) {
        await deadlines.shift(by);
        await hosts.shift(by);
        await leases.shift(by);
        await notices.shift(by);
        await shiftFirings(writing, by);
      }
      // The transaction may be retried; the clock is followed only once.
      if (!followed) go(by);
      followed = true;
    };
    // Exclusive, because another reader would compare deadlines of one clock with the time of the other.
    await change(scope, shift, { exclusive: true });
  } catch (error) {
    if (followed) go(-by);
    throw error;
  }
  await correctForClock(scope);
  if (by < 0) await makeAllDue(scope);
}

/**
 * Records a step of the clock; false if another registry that shares the database has already moved the times by it.
 */
async function isFirst({ settings, positions }: Tables, now: number, by: number): Promise<boolean> {
  if (!positions.isShared) return true;
  const [at = Number.NaN, size = Number.NaN] = ((await settings.get(lastStep)) ?? '').split(' ').map(Number);
  if (Math.abs(now - at) < alikeWithin && Math.abs(by - size) < sameSize) return false;
  await settings.put(lastStep, `${now} ${by}`);
  return true;
}
