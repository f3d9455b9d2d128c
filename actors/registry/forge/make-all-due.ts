import { change } from '#actors/registry/agent/change.ts';
import type { WriteScope } from '#actors/registry/kernel/kernel-scope.ts';
import { advanceRepository } from './repositories.ts';

/** Makes every repository that agents use due now, because a clock that was ahead set their due times. */
export async function makeAllDue(scope: WriteScope): Promise<void> {
  await change(scope, async (writing) => {
    const { tables, now } = writing;
    for (const repository of await tables.repositories.awake()) {
      await advanceRepository(writing, repository, { type: 'NUDGE', now });
    }
  });
}
