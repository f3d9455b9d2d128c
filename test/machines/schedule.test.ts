import { expect } from 'chai';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { begin, decide } from '#machines/decide.ts';
import { type ScheduleEvent, scheduleDefinition, scheduleViewOf } from '#machines/schedule/schedule.ts';

const failed = (pauseAfter: number): ScheduleEvent => ({ type: 'FIRING_DISCARDED', pauseAfter });
const completed: ScheduleEvent = { type: 'FIRING_COMPLETED' };
const resumed: ScheduleEvent = { type: 'RESUME' };

function scheduleAfter(...events: readonly ScheduleEvent[]): StoredSnapshot {
  return events.reduce(
    (at, event) => decide(scheduleDefinition, at, event)?.snapshot ?? at,
    begin(scheduleDefinition, { enabled: true }).snapshot,
  );
}
const isArmed = (...events: readonly ScheduleEvent[]) => scheduleViewOf(scheduleAfter(...events)).enabled;

describe('the machine of a schedule', () => {
  it('is paused after a number of failures in a row, with the reason', () => {
    expect(isArmed(failed(2))).to.equal(true);
    const { enabled, reason } = scheduleViewOf(scheduleAfter(failed(2), failed(2)));
    expect(enabled).to.equal(false);
    expect(reason).to.include('after 2 failed firings in a row');
  });

  it('is never paused by failures without a limit', () => {
    expect(isArmed(...Array.from({ length: 50 }, () => failed(0)))).to.equal(true);
  });

  it('restarts its count after a launch, and when it is resumed', () => {
    expect(isArmed(failed(2), completed, failed(2))).to.equal(true);
    expect(isArmed(failed(2), failed(2), resumed, failed(2))).to.equal(true);
    expect(isArmed(failed(2), failed(2), resumed, failed(2), failed(2))).to.equal(false);
  });

  it('stays paused after any result of its firings, and has no reason once it is armed', () => {
    const paused: ScheduleEvent = { type: 'PAUSE', reason: 'paused by a person' };
    expect(scheduleViewOf(scheduleAfter(paused, completed, failed(0)))).to.deep.equal({
      enabled: false,
      isStuck: false,
      reason: 'paused by a person',
    });
    expect(scheduleViewOf(scheduleAfter(paused, resumed))).to.deep.equal({ enabled: true, isStuck: false, reason: '' });
    expect(decide(scheduleDefinition, scheduleAfter(paused), paused)).to.equal(undefined);
    expect(decide(scheduleDefinition, scheduleAfter(), resumed)).to.equal(undefined);
  });
});
