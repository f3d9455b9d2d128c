import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { BaseWatch } from '#actors/host/watch/base-watch.ts';
import { type FailureCode, failureCodes } from '#contract/reason/failure-code.ts';
import { logProbe } from '#test/bus/log-probe.ts';
import { refusalWith } from '#test/support/failure.ts';
import { GitFixture } from '#test/world/git-fixture.ts';
import { systemTimer, type Timer } from '#world/concurrency/timer.ts';
import { findGitDirectory, type GitDirectory } from '#world/git/repository/git-directory.ts';
import { baseTips } from '#world/git/review/round-base.ts';

describe('the watch on bases', () => {
  let fixture: GitFixture;
  let at: GitDirectory;
  let reported: string[];
  /** What the log says. */
  let warned: string[];
  let answer: () => Promise<boolean>;
  let watch: BaseWatch;
  beforeEach(async () => {
    fixture = new GitFixture();
    fixture.repository('r', { a: 'a\n' });
    fixture.git('r', 'switch', '-q', '-c', 'work');
    at = (await findGitDirectory(fixture.path('r'))) as GitDirectory;
    reported = [];
    warned = [];
    answer = async () => true;
    // As if nothing had been written for a while whenever it looks.
    const clock: Timer = { ...systemTimer, now: () => Date.now() + 10_000 };
    watch = new BaseWatch({
      report: (agentId) => {
        reported.push(agentId);
        return answer();
      },
      clock,
      log: logProbe(warned),
    });
  });
  afterEach(() => fixture.dispose());

  const measure = (agentId: string, base?: string) =>
    watch.over(agentId, { at, question: { base } }, async () => ({ tips: await baseTips(at, { base }) }));
  const look = async (): Promise<string[]> => {
    await watch.check();
    return reported.splice(0);
  };
  const moveMain = (): void => {
    fixture.git('r', 'switch', '-q', 'main');
    fixture.commit('r', 'on main');
    fixture.git('r', 'switch', '-q', 'work');
  };

  it('reports and reads nothing for a deleted agent', async () => {
    await measure('agt_gone');
    await measure('agt_there');
    watch.forget('agt_gone');
    moveMain();
    expect(await look()).to.deep.equal(['agt_there']);
  });

  it('does not watch an agent that ends during its measurement', async () => {
    const measuring = Promise.withResolvers<void>();
    const measured = watch.over('agt_gone', { at, question: {} }, async () => {
      await measuring.promise;
      return { tips: await baseTips(at, {}) };
    });
    watch.forget('agt_gone');
    measuring.resolve();
    await measured;
    moveMain();
    expect(await look()).to.deep.equal([]);
  });

  it('reports an unreadable base once, and asks once whether to keep watching', async () => {
    await measure('agt_gone');
    await measure('agt_there');
    answer = async () => reported.at(-1) === 'agt_there';
    rmSync(at.commonDir, { recursive: true });
    expect(await look()).to.deep.equal(['agt_gone', 'agt_there']);
    for (let time = 0; time < 3; time += 1) expect(await look()).to.deep.equal([]);
    expect(warned).to.have.lengthOf(1);
    expect(warned[0]).to.include('agt_there');
  });

  it('logs a registry’s refusal once', async () => {
    await measure('agt_a');
    moveMain();
    answer = () => Promise.reject(refusalWith('not_found', 'no'));
    for (let time = 0; time < 3; time += 1) expect(await look()).to.deep.equal(['agt_a']);
    expect(warned).to.have.lengthOf(1);
    answer = async () => true;
    await look();
    moveMain();
    answer = () => Promise.reject(refusalWith('not_found', 'no'));
    await look();
    expect(warned, 'after it was well').to.have.lengthOf(2);
  });

  it('reports each base that moves once, and no other branch', async () => {
    await measure('agt_main');
    await measure('agt_work', 'work');
    expect(await look()).to.deep.equal([]);
    moveMain();
    expect(await look()).to.deep.equal(['agt_main']);
    expect(await look()).to.deep.equal([]);
    fixture.commit('r', 'on work');
    expect(await look()).to.deep.equal(['agt_work']);
    fixture.git('r', 'pack-refs', '--all');
    expect(await look(), 'packed and not moved').to.deep.equal([]);
    moveMain();
    expect(await look()).to.deep.equal(['agt_main']);
    fixture.git('r', 'update-ref', 'refs/remotes/origin/main', 'work');
    expect(await look(), 'pushed').to.deep.equal(['agt_main']);
  });

  it('repeats a report after any refusal', async () => {
    await measure('agt_a');
    moveMain();
    for (const code of Object.keys(failureCodes) as FailureCode[]) {
      answer = () => Promise.reject(refusalWith(code, 'no'));
      expect(await look(), code).to.deep.equal(['agt_a']);
    }
    answer = async () => true;
    expect(await look()).to.deep.equal(['agt_a']);
    expect(await look()).to.deep.equal([]);
  });

  it('repeats a lost report, and stops for agents that it no longer watches', async () => {
    await measure('agt_a');
    moveMain();
    answer = async () => {
      throw new Error('nobody answers');
    };
    expect(await look()).to.deep.equal(['agt_a']);
    answer = async () => false;
    expect(await look()).to.deep.equal(['agt_a']);
    moveMain();
    expect(await look()).to.deep.equal([]);
  });
});
