import { change } from '#actors/registry/agent/change.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { correctForClock, shiftFirings } from '#actors/registry/schedule/clock-correction.ts';
import { clockSteps } from '#store/database/clock-steps.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import type { SteadyClock } from '#world/steady-clock.ts';
import { makeAllDue } from './forge/make-all-due.ts';
import type { RegistryScope } from './registry-scope.ts';

/** A smaller rest of a step, in milliseconds, is an inexact measurement. */
const inexact = 2_000;

/** The clock of a database that several registries share. */
export interface MeasuredClock {
  /** Reads the clock; false if that was done a moment ago, or took too long to be exact. */
  measure(): Promise<boolean>;
  /** By how many milliseconds the stored times had been moved in all when the clock was last read. */
  steps(): number;
}

/** Checks the clock on request, one check at a time. `shared` is the clock of a shared database. */
export function timeKeeper(scope: RegistryScope, clock: SteadyClock, shared?: MeasuredClock): () => Promise<void> {
  // What this registry's clock has followed of all the steps by which stored times were moved.
  let followed = shared?.steps() ?? 0;
  return () =>
    withMutex(`clock of registry ${scope.holder.instance}`, async () => {
      const isMeasured = await shared?.measure();
      const by = clock.step();
      if (by !== 0) followed = await followClock(scope, clock, { by, followed });
      else if (isMeasured) followed = shared?.steps() ?? 0;
    });
}

/** How far the clock was set, and what of the steps before it was followed, in milliseconds. */
interface Step {
  readonly by: number;
  readonly followed: number;
}

/**
 * Follows the machine's clock if it has been set. Deadlines, leases, retries and the `seenAt` of hosts move with the
 * clock, in one write, so that remaining times stay the same. What depends on the time of day is checked again. Returns
 * the steps that are followed now.
 */
async function followClock(scope: RegistryScope, clock: SteadyClock, { by, followed }: Step): Promise<number> {
  scope.log.warn({ by }, 'the clock of this machine was set: deadlines keep their remaining time');
  const go = (milliseconds: number): void => {
    clock.follow(milliseconds);
    scope.beatBuffer.shift(milliseconds);
  };
  let isFollowed = false;
  let steps = followed;
  try {
    const shift = async (writing: Change): Promise<void> => {
      steps = await shiftTimes(writing, { by, followed });
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
  await correctForClock(scope);
  if (by < 0) await makeAllDue(scope);
  return steps;
}

/**
 * Moves the stored times by what other registries that share the database have not moved them yet, however long this
 * one stood still. Returns by how much they have been moved in all.
 */
async function shiftTimes(writing: Change, { by, followed }: Step): Promise<number> {
  const { settings, deadlines, hosts, leases, notices, positions } = writing.tables;
  const steps = positions.isShared ? Number((await settings.get(clockSteps)) ?? 0) : followed;
  const left = by - (steps - followed);
  if (Math.abs(left) < inexact) return steps;
  await deadlines.shift(left);
  await hosts.shift(left);
  await leases.shift(left);
  await notices.shift(left);
  await shiftFirings(writing, left);
  if (positions.isShared) await settings.put(clockSteps, String(steps + left));
  return steps + left;
}
