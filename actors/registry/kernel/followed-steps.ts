import { clockSteps } from '#store/database/clock-steps.ts';
import type { Tables } from '#store/tables.ts';

/** How far this registry has followed the steps of a clock that several registries share. */
export class FollowedSteps {
  /** By how many milliseconds the stored times had been moved in all when this registry last followed. */
  value: number;

  constructor(value: number) {
    this.value = value;
  }

  /**
   * Whether this registry's clock and the stored times belong together: no other registry has moved the times for a
   * step that this one has not followed. Call this in the transaction that compares the two. If false, leave the
   * comparison to the next pass.
   */
  async isCurrent({ positions, settings }: Pick<Tables, 'positions' | 'settings'>): Promise<boolean> {
    return !positions.isShared || Number((await settings.get(clockSteps)) ?? 0) === this.value;
  }
}
