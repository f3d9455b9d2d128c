import { change } from '#actors/registry/agent/change.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { correctForClock, shiftFirings } from '#actors/registry/schedule/clock-correction.ts';
import { parkDeadline } from '#machines/agent/parking/park.ts';
import { clockSteps } from '#store/database/clock-steps.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import type { SteadyClock } from '#world/steady-clock.ts';
import { makeAllDue } from './forge/make-all-due.ts';
import type { RegistryScope } from './registry-scope.ts';

/** The smallest step that counts, in milliseconds. A smaller difference is measurement error. */
const inexact = 2_000;

/** The clock of a database that several registries share. */
export interface DatabaseClock {
  /** Reads the clock; false if that was done a moment ago, or took too long to be exact. */
  measure(): Promise<boolean>;
  /** By how many milliseconds the stored times had been moved in all when the clock was last read. */
  steps(): number;
}

/** Checks the clock on request, one check at a time. `shared` is the clock of a shared database. */
export function timeKeeper(scope: RegistryScope, clock: SteadyClock, shared?: DatabaseClock): () => Promise<void> {
  return () =>
    withMutex(`clock of registry ${scope.holder.instance}`, async () => {
      const isMeasured = await shared?.measure();
      const by = clock.step();
      if (by !== 0) await followClock(scope, clock, by);
      else if (isMeasured) scope.clockSteps.value = shared?.steps() ?? 0;
    });
}

/**
 * Follows the machine's clock if it has been set. Deadlines, leases, retries and the `seenAt` of hosts move with the
 * clock, in one write, so that remaining times stay the same. What depends on the time of day is checked again.
 * @param by how far the clock was set, in milliseconds
 */
async function followClock(scope: RegistryScope, clock: SteadyClock, by: number): Promise<void> {
  const followed = scope.clockSteps.value;
  scope.log.warn({ by }, 'the clock of this machine was set: deadlines keep their remaining time');
  const go = (milliseconds: number): void => {
    clock.follow(milliseconds);
    scope.beatBuffer.shift(milliseconds);
  };
  let isFollowed = false;
  let steps = followed;
  try {
    const shift = async (writing: Change): Promise<void> => {
      steps = await shiftTimes(writing, by, followed);
      // The transaction may be retried; the clock is followed only once.
      if (!isFollowed) go(by);
      isFollowed = true;
    };
    // Exclusive, because another reader would compare deadlines of one clock with the time of the other.
    await change(scope, shift, { exclusive: true });
  } catch (error) {
    if (isFollowed) go(-by);
    throw error;
  }
  scope.clockSteps.value = steps;
  await correctForClock(scope);
  if (by < 0) await makeAllDue(scope);
}

/**
 * Shifts the stored times by the part of a step that no registry of the database has applied yet, however long this
 * one was suspended. Returns the total shift, in milliseconds.
 * @param followed the total shift that this registry has followed so far, in milliseconds
 */
async function shiftTimes(writing: Change, by: number, followed: number): Promise<number> {
  const { settings, budgets, deadlines, hosts, leases, notices, positions } = writing.tables;
  const steps = positions.isShared ? Number((await settings.get(clockSteps)) ?? 0) : followed;
  const left = by - (steps - followed);
  if (Math.abs(left) < inexact) return steps;
  // The end of a limit is a time of day.
  await deadlines.shift(left, parkDeadline);
  await budgets.shift(left);
  await hosts.shift(left);
  await leases.shift(left);
  await notices.shift(left);
  await shiftFirings(writing, left);
  if (positions.isShared) await settings.put(clockSteps, String(steps + left));
  return steps + left;
}
