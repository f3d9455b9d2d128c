import { expect } from 'chai';
import { runInside } from '../command-line.ts';

describe('muster schedule next', () => {
  const next = (...argv: string[]) => runInside(['schedule', 'next', ...argv]);

  it('prints when an expression fires, without a service', async () => {
    const { code, out } = await next('30 2 * * SUN', '--tz', 'Europe/Berlin', '-n', '19', '-o', 'table');
    expect(code).to.equal(0);
    const rows = out.trimEnd().split('\n');
    expect(rows).to.have.length(20);
    expect(rows[1]).to.match(/^Sun 2026-11-22 02:30 \+01:00 +2026-11-22T01:30:00\.000Z$/);
    // The clock skips that time, so it fires at the end of the gap.
    expect(rows[19]).to.match(/^Sun 2027-03-28 03:00 \+02:00 +2027-03-28T01:00:00\.000Z$/);
  });

  for (const [cron, says] of [
    ['', 'it has 0 fields and must have 5'],
    ['* * * *', 'it has 4 fields and must have 5'],
    ['0 0 * * * *', 'seconds and years are not supported'],
    ['H H * * *', 'cron field 1 (minute) is "H"'],
    ['*/61 * * * *', 'a number from 1 to 59'],
    ['0 24 * * *', 'cron field 2 (hour) is "24"'],
    ['0 0 31 2 *', 'names 31, which no month of field 4 has'],
    ['0 0 15W * *', 'cron field 3 (day of month)'],
    ['0 0 ? * *', 'write *'],
    ['0 0 * FOO *', 'a name from JAN to DEC'],
    ['0 0 * * 8', 'a number from 0 to 7'],
    ['0 0 * * MON#6', 'from 1 to 5'],
    ['5/15 * * * *', 'write 5-59/15'],
    ['0 0 * * 5-1', 'runs backwards'],
    ['@reboot', 'names are not supported'],
    ['@daily', 'write 0 0 * * *'],
    ['* * * * *\n* * * * *', 'one line'],
    [`${'1,'.repeat(5000)}1 * * * *`, 'at most 256'],
  ] as const) {
    it(`refuses ${JSON.stringify(cron).slice(0, 30)} with the reason`, async () => {
      const { code, err } = await next(cron);
      expect(code).to.equal(2);
      expect(err).to.include(says);
    });
  }

  for (const zone of ['UTC+25', '../../etc/passwd', '+01:00', 'Europe/Pari']) {
    it(`refuses the timezone ${zone}`, async () => {
      const { code, err } = await next('0 0 * * *', '--tz', zone);
      expect(code).to.equal(2);
      expect(err).to.include('is not in the timezone database');
    });
  }

  it('accepts older and newer names of a zone', async () => {
    for (const zone of ['Asia/Kolkata', 'Asia/Calcutta', 'UTC']) {
      expect((await next('0 0 * * *', '--tz', zone)).code, zone).to.equal(0);
    }
  });
});
