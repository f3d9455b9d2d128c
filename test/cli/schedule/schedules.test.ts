import { expect } from 'chai';
import type { Path } from '#cli/client/client.ts';
import { runInside } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { fleetService } from '../fleet.ts';

const service = 'schedule.v1.ScheduleService';
const nightly = {
  id: 'sch_1',
  name: 'nightly',
  cron: '0 2 * * *',
  enabled: true,
  nextRunAt: '2026-11-22T02:00:00.000Z',
};
const run = {
  id: '7',
  scheduledFor: '2026-11-21T02:00:00.000Z',
  state: 'SCHEDULE_RUN_STATE_CANCELLED',
  message: 'overlap',
};

describe('muster schedule', () => {
  let fake: FakeService;
  const asked: [string, unknown][] = [];
  const muster = (...argv: string[]) =>
    runInside(['schedule', ...argv], { env: { SERVICE_BASE_URL: fake.url, SERVICE_TOKEN: 't', NO_COLOR: '1' } });
  beforeEach(async () => {
    asked.length = 0;
    fake = await fleetService();
    const answers = {
      ListSchedules: { schedules: [nightly] },
      GetSchedule: { schedule: nightly },
      ListScheduleRuns: { runs: [run] },
      CreateSchedule: { schedule: nightly },
      UpdateSchedule: { schedule: nightly },
      PauseSchedule: {},
      ResumeSchedule: {},
      DeleteSchedule: {},
      FireSchedule: { run },
      CancelScheduleRun: { run },
      RetryScheduleRun: { run },
    };
    for (const [method, answer] of Object.entries(answers)) {
      fake.on(`${service}/${method}` as Path, (request) => {
        asked.push([method, request]);
        return answer as never;
      });
    }
  });
  afterEach(() => fake.close());

  it('lists schedules, shows one, and lists its runs', async () => {
    expect((await muster('ls', '-o', 'table')).out).to.match(/^nightly +0 2 \* \* \* +2026-11-22T02:00:00\.000Z/m);
    expect((await muster('show', 'nightly', '-o', 'table')).out).to.match(/^timezone +the machine’s own$/m);
    expect((await muster('runs', 'sch_1', '-o', 'table')).out).to.match(
      /^7 +2026-11-21T02:00:00\.000Z +cancelled +0\/0 +overlap$/m,
    );
    expect((await muster('show', 'nigthly')).err).to.include('did you mean nightly?');
  });

  it('creates and changes one', async () => {
    const made = await muster('create', 'nightly', '0 2 * * *', 'Tidy up', '--overlap', 'wait', '--hide-agents');
    expect(made.code, made.err).to.equal(0);
    expect(asked.at(-1)).to.deep.equal([
      'CreateSchedule',
      {
        name: 'nightly',
        cron: '0 2 * * *',
        prompt: 'Tidy up',
        workflowId: 'wfl_1',
        overlap: 'OVERLAP_POLICY_WAIT',
        hideAgents: true,
      },
    ]);
    expect((await muster('edit', 'nightly', '--cron', '0 3 * * *', '--clear', 'jitterSeconds')).code).to.equal(0);
    expect(asked.at(-1)).to.deep.equal([
      'UpdateSchedule',
      { scheduleId: 'sch_1', cron: '0 3 * * *', clear: ['jitterSeconds'] },
    ]);
    expect((await muster('edit', 'nightly')).code).to.equal(2);
  });

  it('pauses, resumes, fires and deletes one, and cancels and retries a run', async () => {
    for (const [argv, method, request] of [
      [['pause', 'nightly'], 'PauseSchedule', { scheduleId: 'sch_1' }],
      [['resume', 'nightly'], 'ResumeSchedule', { scheduleId: 'sch_1' }],
      [['fire', 'nightly'], 'FireSchedule', { scheduleId: 'sch_1' }],
      [['delete', 'nightly'], 'DeleteSchedule', { scheduleId: 'sch_1' }],
      [['cancel', '7'], 'CancelScheduleRun', { runId: '7' }],
      [['retry', '7'], 'RetryScheduleRun', { runId: '7' }],
    ] as const) {
      expect((await muster(...argv)).code, method).to.equal(0);
      expect(asked.at(-1)).to.deep.equal([method, request]);
    }
  });
});
