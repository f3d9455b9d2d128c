import { insertFirings, newFiring } from '#actors/registry/schedule/firings.ts';
import type { Made, RegistryFixture } from '#test/registry/registry-fixture.ts';
import { settled } from './settled.ts';
import type { Trial } from './trial.ts';

const noSchedule = { request: { scheduleId: 'sch_none' }, code: 'not_found' } as const;
const noRun = { request: { runId: '999999' }, code: 'not_found' } as const;
const nothing = () => ({});

export async function aWorkflow(fixture: RegistryFixture): Promise<object> {
  const { id }: Made<object> = await fixture.workflow();
  return { workflowId: id };
}

/**
 * A schedule that does not fire on its own, and whose workflow is gone: what it launches would come at its own time.
 */
async function aSchedule(fixture: RegistryFixture): Promise<{ scheduleId: string }> {
  const { id: workflowId }: Made<object> = await fixture.workflow();
  const given = { name: `for ${workflowId}`, cron: '0 9 * * MON-FRI', prompt: 'Look', workflowId, paused: true };
  const { schedule } = await fixture.call<{ schedule: { id: string } }>('CreateSchedule', given);
  await fixture.call('DeleteWorkflow', { workflowId });
  return { scheduleId: schedule.id };
}

/** A run that was cancelled. */
async function aSkippedRun(fixture: RegistryFixture): Promise<{ runId: string }> {
  const schedule = await aSchedule(fixture);
  await fixture.store.write(async (tables) => {
    const input = { state: 'cancelled', maxAttempts: 3, until: null, message: 'skipped' } as const;
    await insertFirings(tables, [newFiring(schedule.scheduleId, 1, input, 1)]);
  });
  const { runs } = await fixture.call<{ runs: { id: string }[] }>('ListScheduleRuns', schedule);
  return { runId: runs[0]?.id ?? '' };
}

/** An operation that is not here is not tried, and a test says so: add it with its row in the table. */
/** How the operations about schedules are tried. */
export const scheduleTrials: Readonly<Record<string, Trial>> = {
  ListSchedules: {
    request: () => ({ view: 'VIEW_FULL', pagination: { pageSize: 1 } }),
    refused: { request: { pagination: { cursor: 'made up' } }, code: 'invalid_argument' },
  },
  GetSchedule: { request: nothing, prepare: aSchedule, refused: noSchedule },
  WatchSchedules: {
    request: nothing,
    prepare: settled,
    refused: { request: { cursor: 'made up' }, code: 'invalid_argument' },
  },
  CreateSchedule: {
    request: (agentId) => ({ name: `for ${agentId}`, cron: '0 9 * * MON-FRI', prompt: 'Look', paused: true }),
    prepare: aWorkflow,
    refused: { request: { name: 'x', cron: '* * * *', prompt: 'Look', workflowId: 'wfl_1' }, code: 'invalid_argument' },
  },
  UpdateSchedule: {
    request: () => ({ cron: '0 10 * * *', hideAgents: true, clear: ['jitterSeconds'] }),
    prepare: aSchedule,
    refused: noSchedule,
  },
  DeleteSchedule: { request: nothing, prepare: aSchedule, refused: noSchedule },
  PauseSchedule: { request: nothing, prepare: aSchedule, refused: noSchedule },
  ResumeSchedule: { request: nothing, prepare: aSchedule, refused: noSchedule },
  FireSchedule: { request: nothing, prepare: aSchedule, refused: noSchedule },
  ListScheduleRuns: { request: () => ({ pagination: { pageSize: 1 } }), prepare: aSchedule, refused: noSchedule },
  ListComingFirings: { request: nothing, prepare: aSchedule, refused: noSchedule },
  CancelScheduleRun: { request: nothing, prepare: aSkippedRun, refused: noRun },
  RetryScheduleRun: { request: nothing, prepare: aSkippedRun, refused: noRun },
};
