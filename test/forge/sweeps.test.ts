import { expect } from 'chai';
import { readSweepContext } from '#machines/forge/sweep-context.ts';
import { ForgeError } from '#world/forge/forge-error.ts';
import { reading, ScriptedForge } from './scripted-forge.ts';
import { appAddress, type SweepStage, sweepStage } from './sweep-stage.ts';

const minute = 60_000;

describe('sweeps of a repository', () => {
  let forge: ScriptedForge;
  let stage: SweepStage;

  beforeEach(async () => {
    forge = new ScriptedForge();
    stage = await sweepStage(forge);
  });
  afterEach(() => stage.close());

  const stateOf = async (agent: string) =>
    (await stage.shown(agent)).pullRequest?.state?.replace('PULL_REQUEST_STATE_', '');
  const untilNext = async () => ((await stage.repository()).dueAt ?? 0) - stage.fixture.clock.now();

  it('show UNREAD until the first one ends, then each agent branch’s pull request, or NONE', async () => {
    await stage.agent('one');
    await stage.agent('two');
    forge.pullRequests = [reading(1, { headBranch: 'one', checks: 'CHECKS_FAILING' }), reading(2)];
    expect(await stateOf('one')).to.equal('UNREAD');
    await stage.round();
    expect(await stateOf('one')).to.equal('FAILING');
    expect(await stage.shown('one')).to.deep.nested.include({ 'pullRequest.number': 1, 'pullRequests[0].number': 1 });
    expect(await stateOf('two')).to.equal('NONE');
    expect(await stage.rows()).to.have.length(2);
  });

  it('notify watchers of every agent with a changed row, and of no other', async () => {
    await stage.agent('one');
    await stage.agent('two');
    await stage.round();
    const told = async () => (await stage.facts('agent.changed')).map(({ subjectId }) => subjectId);
    expect(await told()).to.have.members(['one', 'two']);
    forge.pullRequests = [reading(1, { headBranch: 'two', updatedAt: '2026-11-21T08:00:00.000Z' })];
    await stage.later(2);
    expect(await told()).to.have.members(['one', 'two', 'two']);
    expect(await stage.facts('pull-request.moved')).to.have.length(1);
    const changed = async () => (await stage.facts('repository.changed')).length;
    expect(await changed()).to.equal(1);
    await stage.later(2);
    expect(await told(), 'a sweep that finds nothing new tells nothing').to.have.length(3);
    expect(await changed()).to.equal(1);
    const at = { updatedAt: '2026-11-21T09:00:00.000Z' };
    forge.pullRequests = [reading(1, { headBranch: 'two', title: 'Another title', ...at })];
    await stage.later(2);
    expect(await changed(), 'a title moves nothing but the row').to.equal(2);
    expect(await stage.facts('pull-request.moved')).to.have.length(1);
  });

  it('find earlier ones of an agent’s branch, also merged and closed ones, the current one first', async () => {
    await stage.agent('one');
    const ended = { headBranch: 'one', closedAt: '2026-01-02T00:00:00.000Z' };
    forge.pullRequests = [
      reading(1, { ...ended, state: 'CLOSED' }),
      reading(2, { ...ended, state: 'MERGED', mergedAt: ended.closedAt }),
      reading(3, { headBranch: 'one' }),
      reading(4, { headBranch: 'another', state: 'CLOSED', closedAt: ended.closedAt }),
    ];
    await stage.round();
    const { pullRequests } = await stage.shown('one');
    expect(pullRequests?.map(({ number }) => number)).to.deep.equal([3, 2, 1]);
    expect(pullRequests?.[1]).to.include({ mergedAt: ended.closedAt, closedAt: ended.closedAt });
    expect(await stage.rows(), 'nobody is on the other branch').to.have.length(3);
  });

  it('read the result of one that is no longer open', async () => {
    await stage.agent('one');
    forge.pullRequests = [reading(1, { headBranch: 'one' }), reading(2)];
    await stage.round();
    const at = '2026-11-21T09:00:30.000Z';
    forge.pullRequests = forge.pullRequests.map((one) => ({
      ...one,
      state: 'MERGED' as const,
      updatedAt: at,
      mergedAt: at,
      closedAt: at,
    }));
    await stage.later(2);
    expect(await stateOf('one')).to.equal('MERGED');
    expect((await stage.rows()).map(({ forgeState }) => forgeState)).to.deep.equal(['MERGED', 'MERGED']);
  });

  it('find one that was opened and closed between two sweeps', async () => {
    await stage.agent('one');
    forge.pullRequests = [reading(1)];
    await stage.round();
    const at = '2026-11-21T09:00:30.000Z';
    forge.pullRequests = [
      ...forge.pullRequests,
      reading(2, { headBranch: 'one', state: 'CLOSED', updatedAt: at, closedAt: at }),
    ];
    await stage.later(2);
    expect(await stateOf('one')).to.equal('CLOSED');
  });

  it('read checks and mergeability of agents’ own ones, which no update reports', async () => {
    await stage.agent('one');
    forge.pullRequests = [reading(1, { headBranch: 'one' }), reading(2)];
    await stage.round();
    expect(await stateOf('one')).to.equal('OPEN');
    forge.pullRequests = forge.pullRequests.map((one) => ({ ...one, checks: 'CHECKS_FAILING' as const }));
    forge.asked.length = 0;
    await stage.later(2);
    expect(await stateOf('one')).to.equal('FAILING');
    expect(forge.asked).to.deep.equal(['probe acme/app', 'read acme/app']);
    await stage.later(31);
    expect((await stage.rows()).map(({ checks }) => checks)).to.deep.equal(['CHECKS_FAILING', 'CHECKS_FAILING']);
  });

  it('ignore the same branch name in another repository, and in a deleted one', async () => {
    await stage.agent('one');
    forge.pullRequests = [
      reading(1, { headBranch: 'one', headRepositoryUrl: 'https://forge.test/stranger/app' }),
      reading(2, { headBranch: 'one', headRepositoryUrl: '' }),
    ];
    await stage.round();
    expect(await stateOf('one')).to.equal('NONE');
    expect(await stage.rows()).to.have.length(2);
  });

  it('keep an agent’s one whose head repository was deleted', async () => {
    await stage.agent('one');
    forge.pullRequests = [reading(1, { headBranch: 'one' })];
    await stage.round();
    forge.pullRequests = [reading(1, { headBranch: 'one', headRepositoryUrl: '' })];
    await stage.later(2);
    expect((await stage.shown('one')).pullRequests?.[0]).to.deep.include({ number: 1, headRepositoryUrl: '' });
  });

  it('ignore the case of addresses', async () => {
    await stage.agent('one', { repositoryUrl: 'https://forge.test/Acme/App' });
    await stage.agent('two', { repositoryUrl: appAddress, branch: 'one' });
    forge.pullRequests = [reading(1, { headBranch: 'one' })];
    await stage.round();
    expect([await stateOf('one'), await stateOf('two')]).to.deep.equal(['OPEN', 'OPEN']);
  });

  it('accept both names of a renamed repository, and sweep it once', async () => {
    forge.aliases.add('acme/old');
    const old = 'https://forge.test/acme/old';
    await stage.agent('one', { repositoryUrl: old });
    await stage.agent('two', { branch: 'one' });
    forge.pullRequests = [reading(1, { headBranch: 'one' })];
    await stage.round();
    await stage.later(2);
    expect([await stateOf('one'), await stateOf('two')]).to.deep.equal(['OPEN', 'OPEN']);
    expect(await stage.rows()).to.have.length(1);
    forge.asked.length = 0;
    await stage.later(2);
    expect(new Set(forge.asked)).to.deep.equal(new Set(['probe acme/app', 'read acme/app']));
  });

  it('reread incomplete ones of agents after 3, 6 and 12 seconds, at most five times', async () => {
    await stage.agent('one');
    forge.pullRequests = [reading(1, { headBranch: 'one', mergeability: 'MERGEABILITY_UNKNOWN' })];
    await stage.round();
    const { clock } = stage.fixture;
    const delays: number[] = [];
    for (;;) {
      const { state, dueAt } = await stage.repository();
      if (state !== 'unsettled') break;
      delays.push((dueAt ?? 0) - clock.now());
      clock.pass((dueAt ?? 0) - clock.now());
      await stage.round();
    }
    // The next sweep is 30 s away, so the fifth does not come about.
    expect(delays.slice(0, 3)).to.deep.equal([3_000, 6_000, 12_000]);
    expect(delays.length).to.be.within(3, 5);
    expect((await stage.repository()).state).to.equal('resting');
    forge.pullRequests = [reading(1, { headBranch: 'one', reviewDecision: 'REVIEW_DECISION_APPROVED' })];
    await stage.later(1);
    expect(await stateOf('one')).to.equal('APPROVED');
  });

  it('keep an approved one stable while the forge computes a new base', async () => {
    await stage.agent('one');
    const approved = { headBranch: 'one', reviewDecision: 'REVIEW_DECISION_APPROVED' } as const;
    forge.pullRequests = [reading(1, approved)];
    await stage.round();
    expect(await stateOf('one')).to.equal('APPROVED');
    const { clock } = stage.fixture;
    const unknown = { ...approved, mergeability: 'MERGEABILITY_UNKNOWN', baseSha: 'c'.repeat(40) } as const;
    forge.pullRequests = [reading(1, unknown)];
    await stage.later(1);
    expect(await stateOf('one')).to.equal('APPROVED');
    clock.pass(4 * minute);
    await stage.round();
    expect(await stateOf('one')).to.equal('APPROVED');
    await stage.later(2);
    expect(await stateOf('one')).to.equal('APPROVED_WAITING');
  });

  describe('of a forge that does not answer', () => {
    it('keep partial results, stay UNREAD with a reason, and retry with growing pauses up to half an hour', async () => {
      await stage.agent('one');
      forge.pullRequests = Array.from({ length: 150 }, (_, place) => reading(place + 1));
      const failure = new ForgeError('server', 'forge.test answered with 502');
      // The probe and the first page come, the second page does not.
      forge.errors.push(undefined, undefined, failure);
      await stage.round();
      expect(await stage.rows()).to.have.length(100);
      expect(await stateOf('one')).to.equal('UNREAD');
      expect(await stage.facts('repository.failed')).to.have.length(1);
      const delays: number[] = [];
      for (let tried = 0; tried < 9; tried += 1) {
        forge.errors.push(failure);
        delays.push(await untilNext());
        stage.fixture.clock.pass((await untilNext()) + 1);
        await stage.round();
      }
      const bounds = [2, 4, 8, 16, 30, 30, 30, 30, 30].map((minutes) => minutes * minute);
      for (const [place, delay] of delays.entries()) {
        const max = bounds[place] ?? 0;
        expect(delay, `try ${place}`).to.be.within(max * 0.8, max * 1.2);
      }
      expect(await stage.facts('repository.failed'), 'the same reason is told once').to.have.length(1);
      stage.fixture.clock.pass((await untilNext()) + 1);
      await stage.round();
      expect(await stateOf('one')).to.equal('NONE');
      expect(await stage.rows()).to.have.length(150);
      expect(await stage.facts('repository.recovered', 'repository.read')).to.have.length(2);
    });

    it('wait as long as the forge demands, for every repository of the connection, even on request', async () => {
      await stage.agent('one');
      forge.others.add('acme/second');
      await stage.agent('two', { repositoryUrl: 'https://forge.test/acme/second' });
      await stage.round();
      const retryAt = stage.fixture.clock.now() + 20 * minute;
      forge.asked.length = 0;
      forge.errors.push(new ForgeError('rate_limited', 'asked too much', { retryAt }));
      stage.fixture.clock.pass(2 * minute);
      await stage.round();
      const asked = forge.asked.length;
      for (const address of [appAddress, 'https://forge.test/acme/second']) {
        const repository = await stage.repository(address);
        expect(readSweepContext(repository.snapshot).notBefore, address).to.equal(retryAt);
        expect(repository.dueAt).to.be.at.least(retryAt);
      }
      await stage.later(17);
      expect(forge.asked.length).to.equal(asked);
      await stage.later(5);
      expect(forge.asked.length).to.be.greaterThan(asked);
    });

    it('pause a connection whose quota is nearly used up until its reset', async () => {
      await stage.agent('one');
      const resetAt = stage.fixture.clock.now() + 40 * minute;
      forge.quota = { remaining: 499, limit: 5_000, resetAt };
      await stage.round();
      expect((await stage.repository()).dueAt).to.equal(resetAt);
      forge.quota = { remaining: 501, limit: 5_000, resetAt };
      await stage.later(41);
      expect(await untilNext()).to.be.lessThan(2 * minute);
    });
  });

  describe('at a pace', () => {
    const within = async (milliseconds: number) =>
      expect(await untilNext()).to.be.within(milliseconds * 0.8, milliseconds * 1.2);

    it('happen every 30 s with an open one of an agent at work, every minute with an agent at work, else every 10 minutes', async () => {
      await stage.agent('one', { alive: false });
      await stage.round();
      await within(10 * minute);
      await stage.agent('two');
      await stage.round();
      await within(minute);
      forge.pullRequests = [reading(1, { headBranch: 'two' })];
      await stage.later(2);
      await within(minute / 2);
    });

    it('stop once no agent uses the repository, and resume at once when one does', async () => {
      await stage.agent('one');
      await stage.round();
      const { store } = stage.fixture;
      await store.write(async ({ journal, agents }) => {
        const one = await agents.find('one');
        await journal.commit({
          agentId: 'one',
          epoch: 1,
          version: one?.version ?? 1,
          snapshot: { value: 'archived', context: { ...(one?.snapshot.context as object), archived: true } },
          effects: [],
          done: [],
          facts: [{ kind: 'agent.archived', detail: {} }],
          deadlines: {},
        });
      });
      await stage.round();
      expect(await stage.repository()).to.include({ state: 'dormant', dueAt: null });
      forge.asked.length = 0;
      await stage.later(60);
      expect(forge.asked).to.deep.equal([]);
      await stage.agent('two');
      await stage.round();
      expect(forge.asked.length).to.be.greaterThan(0);
    });

    it('skip hosts without a connection', async () => {
      await stage.agent('one', { repositoryUrl: 'https://elsewhere.test/acme/app' });
      await stage.round();
      expect(forge.asked).to.deep.equal([]);
      expect(await stateOf('one')).to.equal('UNREAD');
    });
  });
});
