import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { reading, ScriptedForge } from './scripted-forge.ts';
import { type SweepStage, sweepStage } from './sweep-stage.ts';

const minute = 60_000;

describe('a repository with several sweepers', () => {
  let forge: ScriptedForge;
  let stage: SweepStage;

  beforeEach(async () => {
    forge = new ScriptedForge();
    stage = await sweepStage(forge);
  });
  afterEach(() => stage.close());

  it('is read once by two sweepers', async () => {
    await stage.agent('one');
    await stage.round();
    const sweepers = [stage.sweeper(), stage.sweeper(), stage.sweeper()];
    for (let turn = 0; turn < 5; turn += 1) {
      stage.fixture.clock.pass(2 * minute);
      forge.asked.length = 0;
      await Promise.all(sweepers.map((one) => one.fill()));
      await Promise.all(sweepers.map((one) => one.settled()));
      expect(forge.asked).to.deep.equal(['probe acme/app']);
    }
    expect(forge.maxConcurrent).to.equal(1);
  });

  it('is taken over from a silent one, whose late result is dropped', async () => {
    await stage.agent('one');
    forge.pullRequests = [reading(1, { headBranch: 'one' })];
    await stage.round();
    stage.fixture.clock.pass(2 * minute);
    const gate = forge.hold();
    const lost = stage.sweeper();
    await lost.fill();
    await moment('the forge is asked', () => forge.underWay === 1);
    // It is held at its last question: what it answers is all that is missing.
    const last = forge.hold();
    forge.asked.length = 0;
    gate.open();
    await moment('the forge is asked for the agent’s own', () => forge.asked.includes('read acme/app'));
    stage.fixture.clock.pass(91_000);
    forge.letPass();
    forge.pullRequests = [reading(1, { headBranch: 'one', title: 'New' })];
    const other = stage.sweeper();
    await other.fill();
    await other.settled();
    expect((await stage.shown('one')).pullRequest?.title).to.equal('New');
    const facts = (await stage.facts('pull-request.moved', 'agent.changed')).length;
    forge.pullRequests = [reading(1, { headBranch: 'one', title: 'Late' })];
    last.open();
    await lost.settled();
    expect((await stage.shown('one')).pullRequest?.title).to.equal('New');
    expect((await stage.facts('pull-request.moved', 'agent.changed')).length).to.equal(facts);
    expect((await stage.repository()).state).to.equal('resting');
  });
});
