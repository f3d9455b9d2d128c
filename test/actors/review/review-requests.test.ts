import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import { provisionWorktree } from '#actors/host/effects/provision-worktree.ts';
import { reviewAnswers } from '#actors/host/review/review-answers.ts';
import { ReviewRequests } from '#actors/host/review/review-requests.ts';
import { BaseWatch } from '#actors/host/watch/base-watch.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { hostCalls as calls } from '#contract/wire/registry.ts';
import { reviewCalls } from '#contract/wire/review-calls.ts';
import type { Worktree } from '#machines/agent/worktree.ts';
import { performanceOf } from '#test/actors/performance-of.ts';
import { logProbe } from '#test/bus/log-probe.ts';
import { agentContext } from '#test/support/agent-context.ts';
import { failureOf, refusalWith } from '#test/support/failure.ts';
import { type TestClock, testClock } from '#test/support/test-clock.ts';
import { Traps } from '#test/world/git/traps.ts';
import { GitFixture } from '#test/world/git-fixture.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { readCheckout } from '#world/git/checkout/checkout.ts';

type Calls = typeof reviewCalls;

describe('requests about reviews to a host', () => {
  const agentId = 'agt_01JD6Z8Q4V5N7W2K3M9R0TXYAB';
  const roundRef = `refs/muster/rounds/${agentId}/1`;
  let fixture: GitFixture;
  let records: Map<string, AgentRecord>;
  let answers: ReturnType<typeof reviewAnswers>;
  let clock: TestClock;
  let permit: RegistryClient['permit'];
  beforeEach(() => {
    fixture = new GitFixture();
    records = new Map();
    const recordOf = async (id: string) => records.get(id) as AgentRecord;
    clock = testClock();
    permit = async () => ({ record: await recordOf(agentId), leftMs: 60_000 });
    const registry = { permit: (ticket: string) => permit(ticket), load: recordOf };
    answers = reviewAnswers(new ReviewRequests({ recordOf, asking: { registry, clock } }));
    fixture.repository('r', {
      'a.txt': 'one\ntwo\nthree\n',
      'b.bin': '\0',
      '.gitattributes': '* filter=evil diff=evil merge=evil\n',
    });
  });
  afterEach(() => fixture.dispose());

  /** Asks as the registry does, and holds the answer to the contract. */
  async function ask<K extends keyof Calls>(verb: K, request: object, of = agentId) {
    const { request: asked, response } = reviewCalls[verb];
    const body = asked.parse({ ticket: verb, agentId: of, ...request });
    return response.parse(await answers[calls[verb].verb]?.(body)) as ReturnType<Calls[K]['response']['parse']>;
  }

  function record(id: string, cwd: string, worktree?: Worktree, provision = worktree !== undefined): AgentRecord {
    const made = {
      id,
      launch: { cwd, copyFiles: [] },
      snapshot: { value: 'live', context: agentContext({ firstName: 'a', provision, worktree }) },
    } as unknown as AgentRecord;
    records.set(id, made);
    return made;
  }

  /** An agent with its own worktree. */
  async function provisioned(): Promise<Worktree> {
    const asked = performanceOf(record(agentId, fixture.path('r')), { key: 'k', kind: 'k', params: {} });
    const ready = await provisionWorktree(fixture.path('w')).perform(asked);
    if (ready?.type !== 'WORKTREE_READY') throw new Error('no worktree was made');
    record(agentId, fixture.path('r'), ready.worktree);
    return ready.worktree;
  }

  it('watches a measured agent’s base until the agent is deleted', async () => {
    const moved: string[] = [];
    const ahead = { ...systemTimer, now: () => Date.now() + 10_000 };
    const report = async (id: string): Promise<boolean> => moved.push(id) > 0;
    const watch = new BaseWatch({ report, clock: ahead, log: logProbe([]) });
    const recordOf = async (id: string) => records.get(id) as AgentRecord;
    const reviews = new ReviewRequests({
      recordOf,
      asking: { registry: { permit, load: recordOf }, clock },
      bases: watch,
    });
    const worktree = await provisioned();
    const look = async (): Promise<string[]> => {
      fixture.commit('r', 'on the base');
      await watch.check();
      return moved.splice(0);
    };
    const measured = await reviews.standing({ agentId, rounds: [] });
    expect(measured).not.to.equal(undefined);
    expect(await look()).to.deep.equal([agentId]);
    reviews.forget(record(agentId, fixture.path('r'), worktree));
    expect(await look()).to.deep.equal([]);
  });

  it('completes a review in a hostile repository, and runs none of its programs', async () => {
    const traps = new Traps(fixture);
    fixture.repository('lib', { 'l.txt': 'lib\n', '.gitattributes': '* filter=evil\n' });
    fixture.git('r', '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', fixture.path('lib'), 'lib');
    fixture.commit('r', 'with lib');
    const { path } = await provisioned();
    const write = (name: string, content: string): void => writeFileSync(join(path, name), content);
    rmSync(join(path, 'lib'), { recursive: true });
    fixture.git('.', 'clone', '-q', fixture.path('lib'), join(path, 'lib'));
    mkdirSync(join(path, 'nested'));
    fixture.git('.', 'init', '-q', join(path, 'nested'));
    const inner = (name: string): string => join(path, name, '.git').slice(fixture.root.length + 1);
    traps.plant('r/.git', 'main');
    traps.plant(inner('lib'), 'lib');
    traps.plant(inner('nested'), 'nested');
    write('nested/n.txt', 'nested\n');
    write('lib/l.txt', 'dirty\n');
    write('a.txt', 'one\nzwei\nthree\n');
    write('new.txt', 'new\n');
    write('.gitattributes', '* filter=evil diff=evil merge=evil -text\n*.txt ident working-tree-encoding=UTF-8\n');
    symlinkSync('/etc/passwd', join(path, 'link'));

    const round = await ask('cutRound', { roundRef });
    expect(round.leftOut).to.deep.equal([
      { path: 'nested', reason: 'repository' },
      { path: 'lib', reason: 'submodule' },
    ]);
    expect((await ask('treeOf', {})).treeSha).to.equal(round.treeSha);
    const { baseSha, snapshotSha } = round;
    const diff = await ask('reviewDiff', { fromSha: baseSha, toSha: snapshotSha });
    expect(diff.files.map((file) => file.path)).to.deep.equal(['.gitattributes', 'a.txt', 'link', 'new.txt']);
    expect(diff.totalFiles).to.equal(round.changedFiles);
    const place = { filePath: 'a.txt', oldStart: 2, oldEnd: 2, newStart: 2, newEnd: 2 };
    const anchored = await ask('anchorThread', { baseSha, snapshotSha, ...place, quotedLines: ['-two', '+zwei'] });
    expect(anchored).to.deep.equal({ ok: true, message: '', stands: [] });
    const refused = await ask('anchorThread', { baseSha, snapshotSha, ...place, quotedLines: ['-two', '+deux'] });
    expect(refused).to.deep.include({ ok: false, reason: 'mismatch', stands: ['-two', '+zwei'] });
    const read = await ask('fileLines', { sha: snapshotSha, path: 'a.txt', start: 2, end: 2 });
    expect(read).to.deep.equal({ lines: ['zwei'], totalLines: 3 });
    const rounds = [{ baseSha, snapshotSha }];
    const standings = async () => (await ask('standing', { rounds })).standings;
    expect(await standings()).to.deep.equal([
      { snapshotSha, standing: 'REVIEW_TREE_STANDING_UNSPECIFIED', moved: false },
    ]);
    write('a.txt', `zero\n${readFileSync(join(path, 'a.txt'), 'utf8')}`);
    const applied = await ask('applySuggestion', {
      snapshotSha,
      filePath: 'a.txt',
      newStart: 2,
      newEnd: 2,
      suggestion: ['deux'],
    });
    expect(applied).to.deep.equal({ filePath: 'a.txt', start: 3, end: 3 });
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).to.equal('zero\none\ndeux\nthree\n');
    expect(await standings()).to.deep.equal([{ snapshotSha, standing: 'REVIEW_TREE_STANDING_MOVED', moved: true }]);
    const second = await ask('cutRound', { roundRef: `${roundRef}b` });
    const to = { baseSha: second.baseSha, snapshotSha: second.snapshotSha };
    const { placements } = await ask('carryThreads', {
      from: rounds[0],
      to,
      anchors: [place, { filePath: 'new.txt' }],
    });
    expect(placements).to.deep.equal([
      { state: 'changed', filePath: 'a.txt' },
      { state: 'still', filePath: 'new.txt' },
    ]);
    await ask('dropRounds', { roundRefs: [roundRef, `${roundRef}b`] });
    expect(traps.ran()).to.equal('');
  }).timeout(60_000);

  it('returns diffs after the worktree is gone, and cuts no round', async () => {
    const { path } = await provisioned();
    writeFileSync(join(path, 'a.txt'), 'work\n');
    const { baseSha: fromSha, snapshotSha: toSha } = await ask('cutRound', { roundRef });
    rmSync(path, { recursive: true });
    expect((await ask('reviewDiff', { fromSha, toSha })).files.map((file) => file.path)).to.deep.equal(['a.txt']);
    const failure = await failureOf(() => ask('cutRound', { roundRef }));
    expect(failure.code).to.equal('failed_precondition');
    expect(failure.message).to.contain('is gone');
  });

  it('refuses a worktree that points to another repository, or to none', async () => {
    const { path } = await provisioned();
    const other = fixture.repository('other');
    writeFileSync(join(path, '.git'), `gitdir: ${join(other, '.git')}\n`);
    for (const verb of ['cutRound', 'treeOf'] as const) {
      const failure = await failureOf(() => ask(verb, { roundRef }));
      expect(failure.code).to.equal('failed_precondition');
      expect(failure.message).to.contain('no longer points');
    }
    expect(fixture.git('other', 'for-each-ref', 'refs/muster')).to.equal('');
    unlinkSync(join(path, '.git'));
    expect((await failureOf(() => ask('treeOf', {}))).code).to.equal('failed_precondition');
  });

  it('uses the checkout of an agent without a worktree while it is the same one', async () => {
    mkdirSync(fixture.path('r/sub'));
    record('agt_child', fixture.path('r/sub'));
    fixture.write('r/new.txt', 'new\n');
    const round = await ask('cutRound', { roundRef: 'refs/muster/rounds/agt_child/1' }, 'agt_child');
    expect(round).to.include({ changedFiles: 1, baseSha: (await readCheckout(fixture.path('r')))?.headSha });
    rmSync(fixture.path('r/.git'), { recursive: true });
    fixture.repository('other');
    writeFileSync(fixture.path('r/.git'), `gitdir: ${fixture.path('other/.git')}\n`);
    const failure = await failureOf(() => ask('treeOf', {}, 'agt_child'));
    expect(failure.message).to.contain('no longer points');
  });

  it('refuses an agent outside a checkout, and one whose worktree is not made yet', async () => {
    record('agt_plain', fixture.home);
    expect((await failureOf(() => ask('treeOf', {}, 'agt_plain'))).message).to.contain('not in a git checkout');
    record('agt_young', fixture.path('r'), undefined, true);
    expect((await failureOf(() => ask('treeOf', {}, 'agt_young'))).message).to.contain('no worktree yet');
  });

  /** Work in a worktree, and what changes something there or in its repository. */
  async function acts() {
    const { path } = await provisioned();
    const file = join(path, 'a.txt');
    writeFileSync(file, 'one\nzwei\nthree\n');
    const { snapshotSha } = await ask('cutRound', { roundRef });
    const place = { snapshotSha, filePath: 'a.txt', newStart: 2, newEnd: 2, suggestion: ['deux'] };
    const asked: readonly [keyof Calls, object][] = [
      ['cutRound', { roundRef: `${roundRef}b` }],
      ['dropRounds', { roundRefs: [roundRef] }],
      ['applySuggestion', place],
    ];
    const kept = () => [
      readFileSync(file, 'utf8'),
      readdirSync(path).sort().join(),
      fixture.git('r', 'for-each-ref', 'refs/muster/rounds'),
    ];
    return { asked, kept };
  }

  it('writes nothing without its ticket’s permit', async () => {
    const { asked, kept } = await acts();
    const before = kept();
    const tickets: string[] = [];
    permit = async (ticket) => {
      tickets.push(ticket);
      throw refusalWith('unavailable', 'nobody waits for it any more');
    };
    for (const [verb, request] of asked) {
      expect((await failureOf(() => ask(verb, request))).code).to.equal('unavailable');
    }
    expect(tickets).to.deep.equal(asked.map(([verb]) => verb));
    expect(kept()).to.deep.equal(before);
  });

  it('writes nothing after its permit expired', async () => {
    const { asked, kept } = await acts();
    const before = kept();
    permit = async () => {
      clock.pass(5_000);
      return { record: records.get(agentId) as AgentRecord, leftMs: 4_000 };
    };
    for (const [verb, request] of asked) {
      expect((await failureOf(() => ask(verb, request))).code).to.equal('deadline_exceeded');
    }
    expect(kept()).to.deep.equal(before);
  });

  it('refuses a reference that is not a round’s', async () => {
    record(agentId, fixture.path('r'));
    for (const ref of ['refs/heads/main', `${roundRef}/../../heads/x`, `${roundRef}\ndelete refs/heads/main`]) {
      const body = { ticket: 'cut', agentId, roundRef: ref };
      expect((await failureOf(async () => answers['cutRound']?.(body))).code).to.equal('invalid_argument');
    }
  });
}).timeout(60_000);
