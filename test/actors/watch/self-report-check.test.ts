import { expect } from 'chai';
import { type CheckedReading, SelfReportCheck } from '#actors/host/watch/self-report-check.ts';
import type { Report, ReportedReading } from '#machines/agent/agent-context.ts';

const start = 1_000_000;
const minute = 60_000;

describe('the check of a self-report against its pane', () => {
  let check: SelfReportCheck;
  let now: number;
  beforeEach(() => {
    check = new SelfReportCheck();
    now = start;
  });

  /** Checks every quarter of a second for that long; returns the last result. */
  function show(
    state: string,
    forMs: number,
    report?: Report,
    more: { reason?: string; still?: boolean } = {},
  ): CheckedReading {
    const reading = { state: `AGENT_STATE_${state}`, reason: more.reason ?? '' } as ReportedReading;
    const from = now;
    let checked: CheckedReading;
    do {
      checked = check.judge({ reading, report, isDoubted: false, unchangedMs: more.still ? now - from : 0, now });
      now += 250;
    } while (now <= from + forMs);
    return checked;
  }
  const open = (reason: string, at = now): Report => ({ reason, at, open: true });

  it('doubts the state after two seconds of contradiction, and not before', () => {
    show('THINKING', 5_000);
    const asks = open('asks permission: Bash');
    const early = show('THINKING', 1_750, asks);
    expect(early).to.deep.include({ reading: { state: 'AGENT_STATE_THINKING', reason: '' }, why: '' });
    expect(early.againMs).to.be.within(1, 500);
    const { reading, why } = show('THINKING', 1_000, asks);
    expect(reading).to.deep.equal({
      state: 'AGENT_STATE_UNCERTAIN',
      reason: 'disagreement, its screen shows THINKING, its CLI says “asks permission: Bash”',
      asksUnseen: true,
    });
    expect(why).to.include('asks permission: Bash');
    expect(show('THINKING', 60 * minute, asks).reading.state).to.equal('AGENT_STATE_UNCERTAIN');
    expect(show('WAITING', 0, asks).reading).to.deep.equal({ state: 'AGENT_STATE_WAITING', reason: '' });
    expect(show('THINKING', minute, asks).why).to.equal('');
  });

  it('accepts a question that was shown and answered before its report arrived', () => {
    show('THINKING', 1_000);
    const asks = open('asks permission: Bash');
    show('WAITING', 500);
    expect(show('THINKING', minute, asks).why).to.equal('');
  });

  it('accepts a report that its pane has shown, and ignores others', () => {
    for (const report of [{ reason: 'working', at: start }, open('fixing the login page'), undefined]) {
      expect(show('IDLE', minute, report)).to.deep.equal({
        reading: { state: 'AGENT_STATE_IDLE', reason: '' },
        why: '',
      });
    }
  });

  it('doubts rest against reported work until the screen is unchanged for five minutes', () => {
    const works = open('working');
    expect(show('IDLE', 4 * minute, works, { still: true }).reading.state).to.equal('AGENT_STATE_UNCERTAIN');
    now += 1;
    expect(
      check.judge({
        reading: { state: 'AGENT_STATE_IDLE', reason: '' },
        report: works,
        isDoubted: false,
        unchangedMs: 5 * minute,
        now,
      }).why,
    ).to.equal('');
  });

  it('doubts work against a reported end, and shows no rest', () => {
    const done = open('done: all tests pass');
    expect(show('THINKING', 3_000, done).reading.reason).to.equal(
      'disagreement, its screen shows THINKING, its CLI says “done: all tests pass”',
    );
    const unknown = show('UNCERTAIN', minute, done, { reason: 'unknown-row', still: true });
    expect(unknown.reading).to.deep.equal({ state: 'AGENT_STATE_UNCERTAIN', reason: 'unknown-row' });
  });

  it('shows reported work as THINKING despite an unknown row, while the screen changes and was not at rest since', () => {
    show('IDLE', 3_000);
    now += 5_000;
    const works = open('working');
    const moving = show('UNCERTAIN', 3_000, works, { reason: 'unknown-row' });
    expect(moving.reading).to.deep.equal({ state: 'AGENT_STATE_THINKING', reason: 'unknown-row' });
    expect(moving.why).to.match(/says that it works/);
    expect(show('UNCERTAIN', minute, works, { reason: 'unknown-row', still: true }).reading.state).to.equal(
      'AGENT_STATE_UNCERTAIN',
    );
    show('IDLE', 0, works);
    expect(show('UNCERTAIN', 1_000, works, { reason: 'unknown-row' }).reading.state).to.equal('AGENT_STATE_UNCERTAIN');
  });

  it('drops a reported end after half an hour, even if a status line keeps changing', () => {
    const works = open('working');
    expect(show('IDLE', 29 * minute, works).reading.state).to.equal('AGENT_STATE_UNCERTAIN');
    expect(show('IDLE', 2 * minute, works).reading.state).to.equal('AGENT_STATE_IDLE');
  });

  it('doubts at once if it did before the host’s restart', () => {
    const reading: ReportedReading = { state: 'AGENT_STATE_THINKING', reason: '' };
    const checked = check.judge({
      reading,
      report: open('asks permission: Bash'),
      isDoubted: true,
      unchangedMs: 0,
      now,
    });
    expect(checked.reading).to.include({ state: 'AGENT_STATE_UNCERTAIN', asksUnseen: true });
  });

  it('quotes a long report in part', () => {
    const { reading } = show('THINKING', 3_000, open(`done: ${'x'.repeat(490)}\nmore`));
    expect(reading.reason.length).to.be.below(200);
  });
});
