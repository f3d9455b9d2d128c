import { whyFiringWaits } from '#actors/registry/budget/count-launch.ts';
import { isDatabaseFault } from '#contract/database-reason.ts';
import { Failure } from '#contract/failure.ts';
import type { StoredSchedule } from '#store/schedule/schedule-entity.ts';
import type { HostSearch } from './host-search.ts';
import type { ScheduleScope } from './schedule-scope.ts';

/** What a firing waits for whose launch was refused: a budget, or a host. Undefined if the launch has failed. */
export async function waitReason(
  { store, clock }: Pick<ScheduleScope, 'store' | 'clock'>,
  search: HostSearch,
  { id, workflowId }: StoredSchedule,
  error: unknown,
): Promise<string | undefined> {
  if (error instanceof Failure && error.isFor('BUDGET_SPENT')) {
    const reason = await store.read((tables) => whyFiringWaits(tables, [id, workflowId], clock.now()));
    return reason || 'waits for a budget';
  }
  if (isDatabaseFault(error) || !(error instanceof Failure) || error.code !== 'unavailable') return undefined;
  return search.refuse(workflowId, error.message);
}
