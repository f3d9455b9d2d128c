import { expect } from 'chai';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { begin } from '#machines/decide.ts';
import { doorbellDefinition, readDoorbellContext } from '#machines/doorbell/doorbell.ts';
import { sweepDefinition } from '#machines/forge/sweep.ts';
import { readSweepContext } from '#machines/forge/sweep-context.ts';
import { hostDefinition, readHostContext } from '#machines/host/host.ts';
import { readBatchContext, reviewBatchDefinition } from '#machines/review/review-batch.ts';
import { firingDefinition } from '#machines/schedule/firing.ts';
import { readFiringContext } from '#machines/schedule/firing-context.ts';
import { readScheduleContext, scheduleDefinition } from '#machines/schedule/schedule.ts';

type Read = (snapshot: StoredSnapshot) => object;

/** The first snapshot of each machine, and the one reader of its context. */
const machines: Readonly<Record<string, readonly [StoredSnapshot, Read]>> = {
  agent: [begin(agentDefinition, { name: 'Ada', provision: true, scripts: [] }).snapshot, readAgentContext],
  doorbell: [
    begin(doorbellDefinition, { cause: 'DOORBELL_CAUSE_MAIL', count: 1, awaited: false }).snapshot,
    readDoorbellContext,
  ],
  firing: [
    begin(firingDefinition, { state: 'available', maxAttempts: 3, until: null, message: '' }).snapshot,
    readFiringContext,
  ],
  host: [begin(hostDefinition, { name: 'build-2', harnesses: ['claude'] }).snapshot, readHostContext],
  'review-batch': [begin(reviewBatchDefinition, undefined).snapshot, readBatchContext],
  schedule: [begin(scheduleDefinition, { enabled: true }).snapshot, readScheduleContext],
  sweep: [begin(sweepDefinition, { now: 0, pace: 'idle' }).snapshot, readSweepContext],
};

describe('the context of a stored snapshot', () => {
  for (const [machine, [snapshot, read]] of Object.entries(machines)) {
    it(`is read completely from JSON, for ${machine}`, () => {
      const stored: StoredSnapshot = JSON.parse(JSON.stringify(snapshot));
      expect(read(stored)).to.deep.equal(stored.context);
    });

    it(`is refused for ${machine} if it is empty, with an explanation`, () => {
      expect(() => read({ value: snapshot.value, context: {} })).to.throw(
        new RegExp(`machine ${machine} cannot be read: its \\w+ is undefined instead of \\w+`),
      );
      expect(() => read({ value: snapshot.value, context: null })).to.throw(
        `machine ${machine} cannot be read: it is null`,
      );
    });
  }

  it('is refused if a field has another type', () => {
    const { value, context } = begin(hostDefinition, { name: 'build-2', harnesses: [] }).snapshot;
    const wrong = { value, context: { ...readHostContext({ context }), name: 7 } };
    expect(() => readHostContext(wrong)).to.throw('its name is number instead of string');
  });
});
