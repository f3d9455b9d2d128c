import { change, send } from '#actors/registry/agent/change.ts';
import { expireBudget } from '#actors/registry/budget/follow-budgets.ts';
import { advanceDoorbell } from '#actors/registry/doorbell/doorbells.ts';
import { postponeDeadline } from '#actors/registry/host/away.ts';
import { followSilence } from '#actors/registry/host/beat/host-beat.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { Poller } from '#actors/worker/poller.ts';
import { QuietSpan } from '#actors/worker/quiet-span.ts';
import type { Service } from '#actors/worker/service.ts';
import { isTransient } from '#contract/transient.ts';
import type { StoredDeadline } from '#store/deadline/deadline-entity.ts';
import type { RegistryScope } from './registry-scope.ts';

/** How often to check for due deadlines, in milliseconds. */
const every = 500;
/** How many deadlines are read at once. */
const atOnce = 100;
/** The pause before a failed deadline is retried, in milliseconds. */
const again = 60_000;

/**
 * Sends expired deadlines to their machines: those that expired before the start at once, others within a second.
 * `keepTime` is called before each check, and follows a clock that was set.
 */
export function watchDeadlines(scope: RegistryScope, keepTime: () => Promise<void>): Service {
  const quiet = new QuietSpan(scope);
  const nextDue = () => scope.store.read(({ deadlines }) => deadlines.nextDue());
  const pass = async (): Promise<void> => {
    await keepTime();
    if (await quiet.isOver(nextDue)) await fireDue(scope);
  };
  return new Poller({ name: 'deadlines', every, pass }, scope).start();
}

async function fireDue(scope: RegistryScope): Promise<void> {
  const due = await scope.store.read(({ deadlines }) => deadlines.due(atOnce));
  for (const deadline of due) await fire(scope, deadline);
}

/**
 * Removes a deadline and sends it to its owner in one commit, so that it fires once. A deadline that was set again
 * meanwhile stays.
 */
async function fire(scope: RegistryScope, deadline: StoredDeadline): Promise<void> {
  try {
    await change(scope, async (writing) => {
      if (!(await scope.clockSteps.isCurrent(writing.tables))) return;
      if (await writing.tables.deadlines.take(deadline)) await expire(scope, writing, deadline);
    });
  } catch (error) {
    // It was not removed: the next pass tries again.
    if (isTransient(error)) throw error;
    scope.log.error({ err: error, ...deadline }, 'a deadline failed and is postponed');
    await scope.store.write(({ deadlines }) => deadlines.set(deadline, { [deadline.name]: again }));
  }
}

async function expire(scope: RegistryScope, writing: Change, deadline: StoredDeadline): Promise<void> {
  const { owner, ownerId, name } = deadline;
  const { tables } = writing;
  if (owner === 'budget') return expireBudget(writing, ownerId, name);
  if (owner === 'host') return followSilence(scope, writing, ownerId);
  if (owner === 'doorbell') {
    const bell = await tables.doorbells.find(ownerId);
    if (bell !== undefined) await advanceDoorbell(writing, bell, { type: 'DEADLINE', name });
    return;
  }
  const agent = await tables.agents.find(ownerId);
  if (agent === undefined || (await postponeDeadline(scope, writing, agent, deadline))) return;
  await send(writing, agent, { type: 'DEADLINE', name });
}
