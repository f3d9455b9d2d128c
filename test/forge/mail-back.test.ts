import { expect } from 'chai';
import { change } from '#actors/registry/agent/change.ts';
import { refreshRepositories } from '#actors/registry/forge/used-repositories.ts';
import { mailText } from '#actors/registry/mail/mail-resource.ts';
import type { ForgeReading } from '#contract/forge/forge.ts';
import type { PullRequestMatter } from '#contract/workflow.ts';
import type { Store } from '#store/store.ts';
import { reading, ScriptedForge } from './scripted-forge.ts';
import { type SweepStage, sweepStage } from './sweep-stage.ts';

const all: readonly PullRequestMatter[] = [
  'PULL_REQUEST_MATTER_FAILING_CHECKS',
  'PULL_REQUEST_MATTER_REQUESTED_CHANGES',
  'PULL_REQUEST_MATTER_CONFLICT',
];
const failing = { checks: 'CHECKS_FAILING', failingChecks: ['lint', 'unit tests'] } as const;

describe('mail about an agent’s pull request', () => {
  let forge: ScriptedForge;
  let stage: SweepStage;

  const opened = async (matters: readonly PullRequestMatter[]): Promise<void> => {
    forge = new ScriptedForge();
    stage = await sweepStage(forge, matters);
    await stage.agent('one');
  };
  afterEach(() => stage.close());

  const says = (over: Partial<ForgeReading>) => {
    forge.pullRequests = [reading(1, { headBranch: 'one', ...over })];
  };
  const subjects = async (agent = 'one') => (await stage.mailOf(agent)).map(({ subject }) => subject);

  it('is not sent unless the workflow requests it', async () => {
    await opened([]);
    says({ ...failing, reviewDecision: 'REVIEW_DECISION_CHANGES_REQUESTED' });
    await stage.round();
    expect(await subjects()).to.deep.equal([]);
  });

  for (const [matter, over, title, body] of [
    [all[0], failing, 'checks fail', 'lint, unit tests'],
    [all[1], { reviewDecision: 'REVIEW_DECISION_CHANGES_REQUESTED' }, 'changes are requested', 'A reviewer requests'],
    [all[2], { mergeability: 'MERGEABILITY_CONFLICTING' }, 'it conflicts with its base', 'into main'],
  ] as const) {
    it(`reports only ${matter} if only that is requested`, async () => {
      if (matter === undefined) throw new Error('no matter');
      await opened([matter]);
      says({
        ...failing,
        reviewDecision: 'REVIEW_DECISION_CHANGES_REQUESTED',
        mergeability: 'MERGEABILITY_CONFLICTING',
      });
      await stage.round();
      expect(await subjects()).to.deep.equal([`Pull request #1: ${title}`]);
      const [mail] = await stage.mailOf('one');
      expect(mail?.body).to.contain(body).and.to.contain('https://forge.test/acme/app/pull/1');
      expect(Object.keys(over)).not.to.deep.equal([]);
    });
  }

  it('comes from muster, between marks, and raises the doorbell', async () => {
    await opened(all);
    says(failing);
    await stage.round();
    const mail = await stage.mailOf('one');
    const text = mailText(mail, 0, () => 'MARK');
    expect(text).to.match(/from muster, .*\n----- begin MARK -----\nSubject: Pull request #1: checks fail\n/);
    const agent = await stage.fixture.store.read(({ agents }) => agents.find('one'));
    expect(agent).to.include({ unreadMail: 1 }).and.to.have.property('bellRaisedAt').that.is.a('number');
    expect(await stage.facts('mail.sent')).to.have.length(1);
  });

  it('is sent once per head and problem, over any number of sweeps, and even if the head returns', async () => {
    await opened(all);
    const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];
    says({ ...failing, headSha: first });
    await stage.round();
    await stage.later(2);
    says({ headSha: first, checks: 'CHECKS_PASSING' });
    await stage.later(2);
    says({ ...failing, headSha: first });
    await stage.later(2);
    expect(await subjects()).to.have.length(1);
    says({ ...failing, headSha: second });
    await stage.later(2);
    expect(await subjects()).to.have.length(2);
    says({ ...failing, headSha: second, mergeability: 'MERGEABILITY_CONFLICTING' });
    await stage.later(2);
    expect(await subjects()).to.deep.equal([
      'Pull request #1: checks fail',
      'Pull request #1: checks fail',
      'Pull request #1: it conflicts with its base',
    ]);
    says({ ...failing, headSha: first });
    await stage.later(2);
    expect(await subjects()).to.have.length(3);
  });

  it('goes only to the checkout’s owner: to no child, no other branch, no other repository', async () => {
    await opened(all);
    await stage.agent('child', { branch: 'one', parentAgentId: 'one' });
    await stage.agent('other');
    await stage.agent('elsewhere', { branch: 'one', repositoryUrl: 'https://forge.test/acme/second' });
    forge.others.add('acme/second');
    says(failing);
    await stage.round();
    const counts = await Promise.all(
      ['one', 'child', 'other', 'elsewhere'].map(async (id) => (await subjects(id)).length),
    );
    expect(counts).to.deep.equal([1, 0, 0, 0]);
  });

  it('is not sent for a closed one, nor for another’s branch of that name', async () => {
    await opened(all);
    says({ ...failing, state: 'MERGED', mergedAt: '2026-01-02T00:00:00.000Z', closedAt: '2026-01-02T00:00:00.000Z' });
    await stage.round();
    forge.pullRequests = [
      reading(2, { ...failing, headBranch: 'one', headRepositoryUrl: 'https://forge.test/mallory/app' }),
    ];
    await stage.later(40);
    expect(await subjects()).to.deep.equal([]);
  });

  it('is sent once, whenever the registry dies while recording it', async () => {
    await opened(all);
    says(failing);
    await refreshRepositories(stage.scope);
    const states: string[] = [];
    // Dies at each commit of the sweep in turn: earlier writes persist, the one in progress does not.
    for (let survived = 0; survived < 8; survived += 1) {
      const { scope } = stage;
      let left = survived;
      const store: Store = {
        ...scope.store,
        read: (work) => scope.store.read(work),
        write: (work) =>
          scope.store.write(async (tables) => {
            const done = await work(tables);
            left -= 1;
            if (left < 0) throw new Error('the registry dies');
            return done;
          }),
      };
      const dying = stage.sweeper({ ...scope, store });
      await dying.fill().catch(() => undefined);
      await dying.settled();
      states.push((await stage.repository()).state);
      stage.fixture.clock.pass(100_000);
    }
    expect(states, 'it dies before, in the midst of and after the sweep').to.include.members([
      'due',
      'sweeping',
      'resting',
    ]);
    await stage.round();
    await stage.later(2);
    expect(await subjects()).to.deep.equal(['Pull request #1: checks fail']);
    expect((await stage.facts('mail.sent')).length).to.equal(1);
  });

  it('reports earlier failures once the workflow requests it', async () => {
    await opened([]);
    says(failing);
    await stage.round();
    await change(stage.scope, async ({ tables: { workflows } }) => {
      const flow = await workflows.find('wfl_1');
      if (flow !== undefined) await workflows.update({ ...flow, mailOnPullRequest: all });
    });
    await stage.later(2);
    await stage.later(2);
    expect(await subjects()).to.have.length(1);
  });
});
