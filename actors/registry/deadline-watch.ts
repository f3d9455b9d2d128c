import { change, send } from '#actors/registry/agent/change.ts';
import { moveBell } from '#actors/registry/doorbell/doorbells.ts';
import { putOff } from '#actors/registry/host/away.ts';
import { loseHost } from '#actors/registry/host/host-beat.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { StoredDeadline } from '#store/deadline/deadline-entity.ts';
import type { RegistryScope } from './registry-scope.ts';

/** How often it is looked whether a deadline is due, in milliseconds. */
const every = 500;
/** How many deadlines are looked at together. */
const atOnce = 100;
/** After how long a deadline that could not be told is tried again, in milliseconds. */
const again = 60_000;

/** Looks at deadlines until it is stopped. */
export interface DeadlineWatch {
  stop(): Promise<void>;
}

/**
 * Tells machines that their time is up: at once where it was up before the start, else within a second. `keepTime` goes with a clock
 * that was set.
 */
export function watchDeadlines(scope: RegistryScope, keepTime: () => Promise<void>): DeadlineWatch {
  let looking: Promise<void> = Promise.resolve();
  let busy = false;
  const look = (): void => {
    if (busy) return;
    busy = true;
    looking = keepTime()
      .then(() => fireDue(scope))
      .catch((error: unknown) => scope.log.error({ err: error }, 'deadlines could not be looked at'))
      .finally(() => {
        busy = false;
      });
  };
  look();
  const timer = setInterval(look, every);
  return {
    stop() {
      clearInterval(timer);
      return looking;
    },
  };
}

async function fireDue(scope: RegistryScope): Promise<void> {
  const due = await scope.store.read(({ deadlines }) => deadlines.due(atOnce));
  for (const deadline of due) await fire(scope, deadline);
}

/** Takes a deadline away and tells its owner in one commit, so that it is told once. One that was moved is left. */
async function fire(scope: RegistryScope, deadline: StoredDeadline): Promise<void> {
  try {
    await change(scope, async (writing) => {
      if (await writing.tables.deadlines.take(deadline)) await tell(scope, writing, deadline);
    });
  } catch (error) {
    scope.log.error({ err: error, ...deadline }, 'a deadline could not be told and is put off');
    await scope.store.write(({ deadlines }) => deadlines.set(deadline, { [deadline.name]: again }));
  }
}

async function tell(scope: RegistryScope, writing: Change, deadline: StoredDeadline): Promise<void> {
  const { owner, ownerId, name } = deadline;
  const { tables } = writing;
  if (owner === 'host') return loseHost(scope, writing, ownerId);
  if (owner === 'doorbell') {
    const bell = await tables.doorbells.find(ownerId);
    if (bell !== undefined) await moveBell(writing, bell, { type: 'DEADLINE', name });
    return;
  }
  const agent = await tables.agents.find(ownerId);
  if (agent === undefined || (await putOff(scope, writing, agent, deadline))) return;
  await send(writing, agent, { type: 'DEADLINE', name });
}
