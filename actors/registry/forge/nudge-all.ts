import { change } from '#actors/registry/agent/change.ts';
import type { RegistryScope } from '#actors/registry/kernel/registry-scope.ts';
import { moveRepository } from './repositories.ts';

/** Has every repository that agents name swept now: when each is due was said by a clock that was ahead. */
export async function nudgeAll(
  scope: Pick<RegistryScope, 'store' | 'bus' | 'ids' | 'clock' | 'waiters'>,
): Promise<void> {
  await change(scope, async (writing) => {
    const { tables, now } = writing;
    for (const repository of await tables.repositories.awake()) {
      await moveRepository(writing, repository, { type: 'NUDGE', now });
    }
  });
}
