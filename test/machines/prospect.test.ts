import { expect } from 'chai';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { chartShapeOf } from '#machines/chart/chart.ts';
import { findDefinition, machineNames } from '#machines/chart/definitions.ts';
import { prospectsOf } from '#machines/chart/prospect.ts';
import { begin, decide } from '#machines/decide.ts';

/** What each machine is born with. */
const first: Readonly<Record<string, object | undefined>> = {
  agent: { name: 'a', provision: true, scripts: ['setup', 'teardown'] },
  doorbell: { cause: 'DOORBELL_CAUSE_MAIL', count: 1, awaited: false },
  firing: { state: 'available', maxAttempts: 3, until: null, message: '' },
  host: { name: 'h', harnesses: [] },
  'review-batch': undefined,
  schedule: { enabled: true },
  sweep: { now: 0, pace: 'live' },
};
/**
 * States that are reached by another initial input alone, or only with what the first way to the state before does not
 * remember.
 */
const beyond: Readonly<Record<string, readonly string[]>> = {
  agent: [
    ...['cleaningUp.tearingDown', 'settingUp.queued', 'moving.opening', 'moving.settling', 'moving.resting'],
    ...['moving.undoing', 'moving.undoing.closing', 'moving.undoing.pausing'],
  ],
  doorbell: ['awaited', 'told'],
};

describe('the prospect of an instance', () => {
  for (const machine of machineNames) {
    it(`exists for every state of ${machine}, and predicts what the machine then does`, () => {
      const life = findDefinition(machine);
      if (life === undefined) throw new Error(machine);
      const reached = new Map<string, StoredSnapshot>();
      const next = [begin(life, first[machine] as never).snapshot];
      for (let snapshot = next.shift(); snapshot !== undefined; snapshot = next.shift()) {
        const phase = phaseOf(snapshot.value);
        if (reached.has(phase)) continue;
        reached.set(phase, snapshot);
        for (const { sample, accepted, to, effects } of prospectsOf(machine, snapshot)) {
          const decision = decide(life, snapshot, sample as never);
          expect(decision !== undefined, `${phase}: ${JSON.stringify(sample)}`).to.equal(accepted);
          if (decision === undefined) continue;
          expect([phaseOf(decision.snapshot.value), decision.effects.map(({ kind }) => kind)]).to.deep.equal([
            to,
            effects,
          ]);
          next.push(decision.snapshot);
        }
      }
      const inChart = (chartShapeOf(machine)?.edges ?? []).map(({ to }) => to);
      const known = new Set([...reached.keys()].flatMap((phase) => groupsOf(phase)));
      // A state that is left at once is never rested in.
      const missing = inChart.filter((to) => !known.has(to) && !/(?:choosing|deciding|refused)$/.test(to));
      expect([...new Set(missing)].filter((state) => !(beyond[machine] ?? []).includes(state))).to.deep.equal([]);
    });
  }

  it('is empty in a final state', () => {
    expect(prospectsOf('review-batch', { value: 'released', context: { comments: 0 } })).to.deep.equal([]);
  });
});

function groupsOf(phase: string): string[] {
  const parts = phase.split('.');
  return parts.map((_, place) => parts.slice(0, place + 1).join('.'));
}
