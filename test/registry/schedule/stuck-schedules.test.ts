import { rmSync } from 'node:fs';
import { expect } from 'chai';
import type { Schedule } from '#contract/schedule.ts';
import { changeElsewhere } from '#test/store/other-process.ts';
import { firstWorkflow, type Made, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('schedules that an older version paused', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  it('are known to be paused by failures if their reason says so', async () => {
    const workflowId = (await firstWorkflow(fixture)).id;
    const paused = async (name: string) => {
      const request = { name, cron: '0 * * * *', prompt: 'Tidy up', workflowId, paused: true };
      return (await fixture.call<{ schedule: Made<Schedule> }>('CreateSchedule', request)).schedule.id;
    };
    const [byFailures, byHand] = [await paused('by failures'), await paused('by hand')];
    await fixture.restart((file) => {
      changeElsewhere(
        file,
        `delete from "mikro_orm_migrations" where "name" = '2026-12-05-stuck-schedules'`,
        `update "schedule" set "snapshot" = json_remove("snapshot", '$.context.isStuck')`,
        `update "schedule" set "snapshot" = json_set("snapshot", '$.context.reason',
          'paused after 3 failed firings in a row: fix the cause, then resume it') where "id" = '${byFailures}'`,
      );
      // It is informed what this registry wrote, and another program has written.
      rmSync(`${file}-digests`);
    });
    const get = async (scheduleId: string) =>
      (await fixture.call<{ schedule: Schedule }>('GetSchedule', { scheduleId })).schedule;
    expect(await get(byFailures)).to.include({ enabled: false, pausedByFailures: true });
    expect(await get(byHand)).to.include({ enabled: false, pausedByFailures: false });
  });
});
