import { expect } from 'chai';
import {
  type BudgetState,
  continued,
  count,
  countAgainAt,
  newBudget,
  type Use,
  whyNoLaunch,
  withLimits,
} from '#machines/budget/budget.ts';

describe('a budget', () => {
  const hour = 3_600_000;
  const [startsAt, endsAt] = [0, 24 * hour];
  const today = { startsAt, endsAt };
  const tomorrow = { startsAt: endsAt, endsAt: 2 * endsAt };
  const noon = 12 * hour;
  const limited = (limits: BudgetState['limits']) => withLimits(newBudget(noon, today), limits, noon).budget;
  const use = (budget: BudgetState, given: Partial<Use> = {}) =>
    count(budget, { now: budget.countedAt, today, atWork: budget.atWork, ...given });
  /** The notices of so many turns, one after the other. */
  const turns = (budget: BudgetState, number: number) => {
    const levels: number[] = [];
    let state = budget;
    for (let turn = 0; turn < number; turn += 1) {
      const { budget: next, notices } = use(state, { turns: 1 });
      state = next;
      levels.push(...notices.map(({ level, used }) => level * 1_000 + used));
    }
    return { state, levels };
  };

  it('notifies once at 80 % and once at 100 %, and holds from then on', () => {
    const { state, levels } = turns(limited({ turns: 10 }), 13);
    expect(levels).to.deep.equal([80_008, 100_010]);
    expect(state).to.deep.include({ spent: { measure: 'turns', used: 10, limit: 10, at: noon } });
    expect(turns(limited({ turns: 10 }), 9).state.spent).to.equal(null);
    // One that is passed at once is notified of once.
    expect(turns(limited({ turns: 1 }), 2).levels).to.deep.equal([100_001]);
    expect(turns(limited({ work: 1 }), 99).levels).to.deep.equal([]);
  });

  it('counts the time of all agents at work, and is due at each moment of which people are notified', () => {
    const { budget: begun } = use(limited({ work: 10 * hour }), { atWork: 4 });
    expect(countAgainAt(begun)).to.equal(noon + 2 * hour);
    const { budget: near, notices } = use(begun, { now: noon + 2 * hour, atWork: 1 });
    expect([near.used.work, notices]).to.deep.equal([
      8 * hour,
      [{ level: 80, measure: 'work', used: 8 * hour, limit: 10 * hour }],
    ]);
    expect(countAgainAt(near)).to.equal(noon + 4 * hour);
    const { budget: spent } = use(near, { now: noon + 4 * hour });
    expect(spent.spent).to.deep.include({ measure: 'work', at: noon + 4 * hour });
    // It continues, because nothing is interrupted; the next day it counts from 0.
    expect(countAgainAt(spent)).to.equal(endsAt);
    expect(countAgainAt(use(spent, { atWork: 0 }).budget)).to.equal(undefined);
    // A clock that is set back counts nothing twice, and nothing below 0.
    expect(use(near, { now: noon }).budget.used.work).to.equal(8 * hour);
  });

  it('counts from 0 each day, with the part of a turn after midnight, and stays spent', () => {
    const { budget: begun } = use(turns(limited({ turns: 2, work: 20 * hour, launches: 1 }), 2).state, {
      atWork: 2,
      launches: 1,
    });
    const { budget: next, notices } = use(begun, { now: endsAt + hour, today: tomorrow, turns: 1 });
    expect(next.used).to.deep.equal({ turns: 1, work: 2 * hour, launches: 0 });
    expect([next.dayEndsAt, next.spent?.at, notices]).to.deep.equal([2 * endsAt, noon, []]);
    // After some days of silence, only the last one counts.
    const later = { now: 5 * endsAt + hour, today: { startsAt: 5 * endsAt, endsAt: 6 * endsAt } };
    expect(use(begun, later).budget.used.work).to.equal(2 * hour);
    // People are notified again.
    expect(turns({ ...next, spent: null }, 1).levels).to.deep.equal([100_002]);
  });

  it('is continued by a person: what is used up counts from 0, the rest stays', () => {
    const { state } = turns(use(limited({ turns: 2, work: hour, launches: 5 }), { launches: 4 }).budget, 2);
    const after = continued(state);
    expect(after).to.deep.include({
      used: { turns: 0, work: 0, launches: 4 },
      spent: null,
      noticed: { launches: 80 },
    });
    expect(turns(after, 2).levels).to.deep.equal([80_001, 100_002].slice(1));
    expect(continued(after)).to.deep.equal(after);
  });

  it('is raised by a person, and notifies of the new limits', () => {
    const { state } = turns(limited({ turns: 10 }), 10);
    const { budget: raised, notices } = withLimits(state, { turns: 20 }, noon);
    expect([raised.spent, notices]).to.deep.equal([null, []]);
    expect(turns(raised, 10).levels).to.deep.equal([80_016, 100_020]);
    // A limit below what is used holds at once, and one that is removed holds no more.
    const { budget: lowered, notices: now } = withLimits(raised, { turns: 5 }, noon);
    expect([lowered.spent?.measure, now.map(({ level }) => level)]).to.deep.equal(['turns', [100]]);
    expect(withLimits(lowered, { work: hour }, noon).budget.spent).to.equal(null);
    // Another measure that is used up still holds.
    const both = use(limited({ turns: 1, work: 1 }), { turns: 1, atWork: 1 }).budget;
    const { budget: stillWorking } = use(both, { now: noon + 1 });
    expect(withLimits(stillWorking, { turns: 9, work: 1 }, noon + 1).budget.spent).to.deep.include({ measure: 'work' });
  });

  it('refuses launches once they are used up, or the agents are held, but holds nobody for launches', () => {
    const { budget } = use(limited({ launches: 2 }), { launches: 2 });
    expect([budget.spent, whyNoLaunch(budget)]).to.deep.equal([null, { measure: 'launches', limit: 2 }]);
    expect(whyNoLaunch(use(limited({ launches: 2 }), { launches: 1 }).budget)).to.equal(undefined);
    expect(whyNoLaunch(use(budget, { now: endsAt, today: tomorrow }).budget)).to.equal(undefined);
    expect(whyNoLaunch(turns(limited({ turns: 1 }), 1).state)).to.include({ measure: 'turns' });
  });

  it('begins a new day if its day seems to end much later, because the clock was set back', () => {
    const { state } = turns(limited({ turns: 9 }), 3);
    const longAgo = { now: noon - 80 * endsAt, today: { startsAt: -80 * endsAt, endsAt: -79 * endsAt } };
    expect(use(state, longAgo).budget).to.deep.include({ dayEndsAt: -79 * endsAt });
    expect(use(state, longAgo).budget.used.turns).to.equal(0);
    expect(use(state, { now: noon - hour }).budget.used.turns).to.equal(3);
  });
});
