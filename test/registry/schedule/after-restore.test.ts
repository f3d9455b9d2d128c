import { expect } from 'chai';
import { recordRestore } from '#actors/registry/restored.ts';
import { insertFirings, newFiring } from '#actors/registry/schedule/firings.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Schedule, ScheduleRun } from '#contract/schedule.ts';
import { moment } from '#test/support/moment.ts';
import { type Made, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

const hour = 3_600_000;

describe('schedules of an installation that was restored from a backup', () => {
  let fixture: RegistryFixture;
  let schedule: Made<Schedule>;

  beforeEach(async () => {
    fixture = await registryFixture();
    const workflow = await fixture.workflow({ provisionEnabled: false });
    const request = { name: 'hourly', cron: '0 * * * *', timezone: 'UTC', prompt: 'Tidy up', workflowId: workflow.id };
    const missed = { missed: 'MISSED_POLICY_RUN_ALL', catchUp: '7d', overlap: 'OVERLAP_POLICY_ALLOW' };
    ({ schedule } = await fixture.call<{ schedule: Made<Schedule> }>('CreateSchedule', { ...request, ...missed }));
  });
  afterEach(() => fixture.close());

  const runs = async () =>
    (await fixture.call<{ runs: ScheduleRun[] }>('ListScheduleRuns', { scheduleId: schedule.id })).runs;
  const agents = async () => (await fixture.call<{ agents?: AgentRow[] }>('ListAgents', {})).agents ?? [];
  /** Restores a backup that was taken now, three hours later. */
  const restoreLater = async () => {
    const takenAt = fixture.clock.now();
    await fixture.store.write((tables) =>
      recordRestore(tables, {
        takenAt: new Date(takenAt).toISOString(),
        restoredAt: new Date(takenAt + 3 * hour).toISOString(),
      }),
    );
    await fixture.restart(() => fixture.clock.pass(3 * hour));
  };
  const restores = async () => {
    const { facts } = await fixture.call<{ facts: { kind: string }[] }>('ListFacts', {});
    return facts.filter(({ kind }) => kind === 'installation.restored').length;
  };

  it('skip what may have run since the backup, with a note, and continue afterwards', async () => {
    await restoreLater();
    const skipped = await runs();
    expect(skipped.map(({ state }) => state)).to.deep.equal(Array(3).fill('SCHEDULE_RUN_STATE_CANCELLED'));
    for (const { message } of skipped) expect(message).to.match(/^skipped: it may have run between the backup of /);
    expect(await agents()).to.deep.equal([]);
    fixture.clock.pass(hour);
    await fixture.host.beat();
    await moment('the next one launches', async () => (await agents()).length === 1);
  });

  it('cancel unfinished firings, which a person may retry', async () => {
    const now = fixture.clock.now();
    // Not due before the restore, so that no registry starts it.
    const input = { state: 'scheduled', maxAttempts: 3, until: now + 4 * hour, message: 'waits' } as const;
    await fixture.store.write((tables) => insertFirings(tables, [newFiring(schedule.id, now - 1, input, now)]));
    await restoreLater();
    const [cancelled] = (await runs()).filter(({ message }) => message?.includes('was restored'));
    expect(cancelled).to.include({ state: 'SCHEDULE_RUN_STATE_CANCELLED' });
    expect(cancelled?.message).to.match(/^the backup of .* was restored: it may have run since then$/);
  });

  it('are corrected once', async () => {
    await restoreLater();
    await fixture.restart();
    expect(await restores()).to.equal(1);
    expect(await runs()).to.have.length(3);
  });
});
