import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readySubject } from '#bus/subjects.ts';
import type { BackupOutcome } from '#contract/backup/scheduled-backups.ts';
import type { Fact } from '#contract/fact/fact.ts';
import type { CheckedPart } from '#contract/host/check.ts';
import type { RegistryReadiness } from '#contract/wire/figures.ts';
import { type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';
import { moment } from '#test/support/moment.ts';

const [minute, hour] = [60_000, 3_600_000];

describe('scheduled backups', () => {
  let fixture: RegistryFixture;
  /** When each was requested, in milliseconds. */
  let asked: number[];
  let outcome: BackupOutcome;

  beforeEach(async () => {
    [asked, outcome] = [[], { path: '/backups/one.backup', bytes: 2_048 }];
    fixture = await registryFixture({
      backups: () => ({
        everyMs: 6 * hour,
        async make(now) {
          asked.push(now.getTime());
          return outcome;
        },
      }),
    });
  });
  afterEach(() => fixture.close());

  const check = async () => {
    const { parts } = await fixture.call<{ parts: CheckedPart[] }>('RunDoctor');
    return parts[0]?.checks?.find(({ name }) => name === 'backups');
  };
  const readiness = async () =>
    ((await fixture.gateway.request(readySubject, {}, { timeoutMs: 5_000 })) as RegistryReadiness).backups;
  const told = async () => {
    const { facts } = await fixture.call<{ facts: Fact[] }>('ListFacts');
    return facts.filter(({ kind = '' }) => /^installation\.back/.test(kind)).map(({ kind }) => kind);
  };
  const recorded = (words: RegExp) =>
    moment(`the doctor says ${words}`, async () => {
      const found = await check();
      return words.test(found?.found ?? '') ? found : undefined;
    });

  it('are made at the start and after each interval, by one registry only', async () => {
    await recorded(/the last one was made 2026-11-21T09:00:00\.000Z: 2(\.0)? KiB, "\/backups\/one\.backup" on/);
    expect(await readiness()).to.deep.equal({ ok: true, lastTakenAt: '2026-11-21T09:00:00.000Z' });
    fixture.clock.pass(6 * hour - minute);
    await fixture.restart();
    await recorded(/the last one was made 2026-11-21T09:00/);
    fixture.clock.pass(minute);
    await recorded(/the last one was made 2026-11-21T15:00/);
    expect(asked.map((now) => new Date(now).toISOString().slice(11, 16))).to.deep.equal(['09:00', '15:00']);
    expect(await told()).to.deep.equal(['installation.backed-up', 'installation.backed-up']);
  });

  it('that fail are reported by doctor, readiness, one fact and one notice, and retried after ten minutes', async () => {
    await recorded(/the last one was made/);
    const notices = join(fixture.folder.path, 'notices');
    const command = `echo "$MUSTER_EVENT: $MUSTER_TEXT" >> ${notices}`;
    await fixture.call('UpdateNotify', { notify: { command, on: ['NOTICE_KIND_BACKUP_FAILED'] } });
    outcome = { why: 'the disk is full' };
    fixture.clock.pass(6 * hour);
    const failed = await recorded(/failed: the disk is full; the last one was made 2026-11-21T09:00/);
    expect(failed).to.include({ outcome: 'CHECK_OUTCOME_WARNING' });
    const unready = await moment('it is no longer ready', async () => {
      const found = await readiness();
      return found?.ok === false ? found : undefined;
    });
    expect(unready).to.include({ lastTakenAt: '2026-11-21T09:00:00.000Z' });
    expect(unready.why).to.include('the disk is full');
    fixture.clock.pass(10 * minute);
    await recorded(/the backup of 2026-11-21T15:10:00\.000Z on .* failed/);
    expect(await told(), 'the second failure is no news').to.deep.equal([
      'installation.backup-failed',
      'installation.backed-up',
    ]);
    await moment('the person is notified', () => existsSync(notices));
    expect(readFileSync(notices, 'utf8')).to.equal(
      'backup-failed: the scheduled backup could not be made: the disk is full\n',
    );
    outcome = { path: '/backups/two.backup', bytes: 1 };
    fixture.clock.pass(10 * minute);
    expect(await recorded(/^the last one was made 2026-11-21T15:20/)).to.include({ outcome: 'CHECK_OUTCOME_OK' });
    expect(asked).to.have.length(4);
  });

  it('continue after the clock was set back before the last one', async () => {
    await recorded(/the last one was made/);
    fixture.clock.step(-24 * hour);
    await moment('another backup', () => asked.length > 1);
  });
});
