import { change } from '#actors/registry/agent/change.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { keepWaiting, mendClock } from '#actors/registry/schedule/clock-mending.ts';
import type { SteadyClock } from '#world/steady-clock.ts';
import { nudgeAll } from './forge/nudge-all.ts';
import type { RegistryScope } from './registry-scope.ts';

/**
 * Follows the machine's clock if somebody has set it. Remaining times stay as they are: deadlines, leases, later
 * attempts and the times at which hosts were last heard move with the clock in one write. What depends on the time of
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
      // A transaction may run again; the clock is followed only once.
      if (!followed) go(by);
      followed = true;
    };
    // A reader in between would compare deadlines of one clock with the time of the other.
    await change(scope, shift, { exclusive: true });
  } catch (error) {
    if (followed) go(-by);
    throw error;
  }
  await mendClock(scope);
  if (by < 0) await nudgeAll(scope);
}
