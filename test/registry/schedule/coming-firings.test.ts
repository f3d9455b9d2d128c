import { expect } from 'chai';
import type { Schedule } from '#contract/schedule.ts';
import type { Workflow } from '#contract/workflow.ts';
import { failureOf } from '#test/support/failure.ts';
import { type Made, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

interface Coming {
  readonly coming: readonly {
    readonly scheduleId?: string;
    readonly times: readonly string[];
    readonly more: boolean;
  }[];
}

describe('coming firings', () => {
  let fixture: RegistryFixture;
  let workflow: Made<Workflow>;
  before(async () => {
    fixture = await registryFixture();
    workflow = await fixture.workflow({ provisionEnabled: false });
  });
  after(() => fixture.close());

  const create = async (name: string, cron: string, more: object = {}): Promise<string> => {
    const request = { name, cron, timezone: 'UTC', prompt: 'Tidy up', workflowId: workflow.id, ...more };
    return (await fixture.call<{ schedule: Made<Schedule> }>('CreateSchedule', request)).schedule.id;
  };
  const list = async (request: object) => (await fixture.call<Coming>('ListComingFirings', request)).coming;

  it('are those of armed schedules, the soonest schedule first, up to the limits', async () => {
    const weekly = await create('weekly', '30 9 * * MON', { timezone: 'Europe/Paris' });
    const hourly = await create('hourly', '0 * * * *');
    await create('paused', '0 * * * *', { paused: true });
    expect(await list({ limit: 2 })).to.deep.equal([
      { scheduleId: hourly, times: ['2026-11-21T10:00:00.000Z', '2026-11-21T11:00:00.000Z'], more: true },
      { scheduleId: weekly, times: ['2026-11-23T08:30:00.000Z'], more: false },
    ]);
    const [own] = await list({ scheduleId: weekly, days: 14 });
    expect(own?.times).to.deep.equal(['2026-11-23T08:30:00.000Z', '2026-11-30T08:30:00.000Z']);
  });

  it('are computed for an expression that is not saved', async () => {
    const leap = { cron: '0 9 29 2 *', timezone: 'UTC' };
    const [tried] = await list({ ...leap, days: 3_000, limit: 5 });
    expect(tried?.times).to.deep.equal(['2028-02-29T09:00:00.000Z', '2032-02-29T09:00:00.000Z']);
    expect(await list(leap)).to.deep.equal([{ times: [], more: false }]);
  });

  it('are refused for an invalid expression, zone or schedule', async () => {
    for (const [request, code, says] of [
      [{ cron: '61 * * * *' }, 'invalid_argument', 'minute'],
      [{ cron: '0 9 * * *', timezone: 'Nowhere/City' }, 'invalid_argument', 'Nowhere/City'],
      [{ cron: '0 9 * * *', scheduleId: 'sch_1' }, 'invalid_argument', 'Both'],
      [{ scheduleId: 'sch_none' }, 'not_found', 'sch_none'],
    ] as const) {
      const failure = await failureOf(() => list(request));
      expect(failure).to.include({ code });
      expect(failure.message).to.include(says);
    }
  });
});
