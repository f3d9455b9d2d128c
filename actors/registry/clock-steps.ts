import { change } from '#actors/registry/agent/change.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { keepWaiting, mendClock } from '#actors/registry/schedule/clock-mending.ts';
import type { SteadyClock } from '#world/steady-clock.ts';
import { nudgeAll } from './forge/nudge-all.ts';
import type { RegistryScope } from './registry-scope.ts';

/**
 * Goes with the machine's clock if somebody has set it. What was to come after so long comes after so long still:
 * deadlines, leases, later tries and when hosts were heard are moved with it in one write. What depends on the time of
 * day is checked again.
 */
export async function followClock(scope: RegistryScope, clock: SteadyClock): Promise<void> {
  const by = clock.step();
  if (by === 0) return;
  scope.log.warn({ by }, 'the clock of this machine was set: deadlines keep their remaining time');
  const go = (milliseconds: number): void => {
    clock.follow(milliseconds);
    scope.pulses.shift(milliseconds);
  };
  let followed = false;
  try {
    const shift = async (writing: Change): Promise<void> => {
      const { deadlines, hosts, notices } = writing.tables;
      await deadlines.shift(by);
      await hosts.shift(by);
      await notices.shift(by);
      await keepWaiting(writing, by);
      // A write may be tried again: it is gone with once.
      if (!followed) go(by);
      followed = true;
    };
    // Whoever read meanwhile would hold deadlines of the one time against the other.
    await change(scope, shift, { exclusive: true });
  } catch (error) {
    if (followed) go(-by);
    throw error;
  }
  await mendClock(scope);
  if (by < 0) await nudgeAll(scope);
}
