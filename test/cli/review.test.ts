import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import type { Review } from '#contract/review/review.ts';
import type { ReviewFile, ReviewRound } from '#contract/review/review-round.ts';
import type { ReviewThread } from '#contract/review/review-thread.ts';
import { refusalWith } from '#test/support/failure.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { type Outcome, personEnv, runInside, type Setting } from './command-line.ts';
import type { FakeService } from './fake-service.ts';
import { fleetService } from './fleet.ts';

const path = 'agent.v1.AgentService';
const [base, snapshot] = ['a'.repeat(40), 'b'.repeat(40)];

describe('commands for reviews', () => {
  let service: FakeService;
  const muster = (argv: readonly string[], setting: Setting = {}): Promise<Outcome> =>
    runInside(['review', ...argv], {
      env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' },
      ...setting,
    });
  const asked = (method: 'ListReviewThreads' | 'GetReviewDiff' | 'CreateReviewThread' | 'ReleaseReview') =>
    service.requestsOf(`${path}/${method}`);
  const round: ReviewRound = {
    id: 'rnd_2',
    agentId: 'agt_lead',
    ordinal: 2,
    baseSha: base,
    snapshotSha: snapshot,
    createdAt: '2026-11-21T08:00:00.000Z',
    changedFiles: 1,
    leftOutCount: 3,
  };
  const thread: ReviewThread = {
    id: 'thr_1',
    roundOrdinal: 1,
    filePath: 'src/a.ts',
    newStart: 3,
    newEnd: 4,
    quotedLines: ['+b', ' \u001b[31mc'],
    unreadByHuman: true,
    messages: [
      {
        id: 'msg_1',
        authorKind: 'REVIEW_AUTHOR_KIND_AGENT',
        authorAgentId: 'agt_reader',
        body: 'Name it\nwhat it is.',
        suggestion: ['  d();'],
        delivery: 'REVIEW_DELIVERY_STATE_UNSENT',
        createdAt: '2026-11-21T08:57:00.000Z',
      },
    ],
    place: { state: 'REVIEW_PLACE_STATE_MOVED', roundOrdinal: 2, filePath: 'src/b.ts', newStart: 7, newEnd: 8 },
  };
  const released: Review = {
    id: 'rvw_1',
    authorKind: 'REVIEW_AUTHOR_KIND_HUMAN',
    state: 'REVIEW_STATE_RELEASED',
    verdict: 'REVIEW_VERDICT_CHANGES_REQUESTED',
    summary: 'Two things',
    roundOrdinal: 1,
    releasedAt: '2026-11-21T08:57:00.000Z',
  };

  beforeEach(async () => {
    service = await fleetService();
    service.on(`${path}/StartReviewRound`, () => ({ round }));
    service.on(`${path}/ListReviewRounds`, () => ({ rounds: [round, { ...round, id: 'rnd_1', ordinal: 1 }] }));
    service.on(`${path}/ListReviewThreads`, () => ({
      threads: [thread],
      reviews: [released],
    }));
    service.on(`${path}/CreateReviewThread`, () => ({ thread }));
    service.on(`${path}/ReleaseReview`, () => ({ review: { id: 'rvw_1', comments: 1, roundOrdinal: 2 } }));
  });
  afterEach(() => service.close());

  it('cut a round, and list rounds', async () => {
    const { out } = await muster(['start', 'lead', '--base', 'main'], { tty: true });
    expect(out).to.equal('Round 2, with 1 file changed; 3 left out of it\n');
    expect(service.requestsOf(`${path}/StartReviewRound`)).to.deep.equal([{ agentId: 'agt_lead', base: 'main' }]);
    const { out: listed } = await muster(['rounds'], { tty: true });
    expect(listed).to.match(
      /^ROUND +ID +CUT +BY +FILES +LEFT OUT +SNAPSHOT\n2 +rnd_2 +\S+ +you +1 +3 +b{12}\n1 +rnd_1 /,
    );
    expect(service.requestsOf(`${path}/ListReviewRounds`)).to.deep.equal([{ pagination: { pageSize: 200 } }]);
  });

  it('print a whole diff, over its pages, without control sequences', async () => {
    const part: ReviewFile = { path: 'a', change: 'REVIEW_FILE_CHANGE_MODIFIED', partial: true };
    const picture: ReviewFile = {
      path: 'p.png',
      change: 'REVIEW_FILE_CHANGE_ADDED',
      newMode: '100644',
      newBytes: '9',
      omitted: 'REVIEW_FILE_OMISSION_BINARY',
    };
    const script: ReviewFile = {
      path: 's',
      change: 'REVIEW_FILE_CHANGE_MODIFIED',
      oldMode: '100644',
      newMode: '100755',
    };
    const first = [script, { ...part, patch: '@@ -1 +1,2 @@\n-a\n' }];
    const second = [{ ...part, patch: '+b\u001b[2J\n' }, picture];
    service.on(`${path}/GetReviewDiff`, ({ cursor }) => ({
      round,
      baseSha: base,
      snapshotSha: snapshot,
      totalFiles: 2,
      ...(cursor === undefined ? { cursor: 'more', files: first } : { files: second }),
    }));
    const { out } = await muster(['diff', 'lead', '--round', '2', '--since', '1', '--file', 'a']);
    expect(out).to.equal(
      'diff --git a/s b/s\nold mode 100644\nnew mode 100755\n' +
        'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-a\n+b\\u001b[2J\n' +
        'diff --git a/p.png b/p.png\nnew file mode 100644\nA binary file: 0 bytes before, 9 now\n',
    );
    const whole = { agentId: 'agt_lead', roundId: 'rnd_2', sinceRoundId: 'rnd_1', filePath: 'a', pageBytes: 1_048_576 };
    expect(asked('GetReviewDiff')).to.deep.equal([whole, { ...whole, cursor: 'more' }]);
    const { files } = JSON.parse((await muster(['diff', '-o', 'json'])).out) as { files: object[] };
    expect(files).to.have.length(4);
    expect(await muster(['diff', 'lead', '--round', '9'])).to.include({
      code: 4,
      err: 'there is no round 9: muster review rounds lists them\n',
    });
  });

  it('colour a diff on a terminal and pass it to the pager, without control sequences', async () => {
    const folder = temporaryFolder('pager');
    const paged = join(folder.path, 'paged');
    const files: ReviewFile[] = [
      { path: 'a', change: 'REVIEW_FILE_CHANGE_MODIFIED', patch: '@@ -1 +1,2 @@\n-- a\n+b\u001b[2J\n c\n' },
    ];
    service.on(`${path}/GetReviewDiff`, () => ({ round, files }));
    const diff = (more: Readonly<Record<string, string>>, tty = true) => {
      const { NO_COLOR: _, ...env } = personEnv(folder.path, service.url);
      return muster(['diff', 'lead'], { env: { ...env, ...more }, tty });
    };
    const plain = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-- a\n+b\\u001b[2J\n c\n';
    const pager = `tee '${paged}' >/dev/null; echo "$LESS" >>'${paged}'`;
    try {
      expect(await diff({ PAGER: pager })).to.deep.equal({ code: 0, out: '', err: '' });
      const coloured = readFileSync(paged, 'utf8');
      expect(coloured).to.include('\u001b[31m-- a\u001b[39m\n\u001b[32m+b\\u001b[2J\u001b[39m\n c\n');
      expect(coloured).to.include('\u001b[1m--- a/a\u001b[22m\n').and.include('\u001b[36m@@');
      expect(stripVTControlCharacters(coloured)).to.equal(`${plain}FRX\n`);
      await diff({ PAGER: pager, NO_COLOR: '1', LESS: 'R' });
      expect(readFileSync(paged, 'utf8')).to.equal(`${plain}R\n`);
      for (const env of [{ PAGER: '' }, { PAGER: 'cat' }, { PAGER: pager, TERM: 'dumb' }]) {
        expect(stripVTControlCharacters((await diff(env)).out)).to.equal(plain);
      }
      expect((await diff({ PAGER: pager }, false)).out).to.equal(plain);
      // An agent would wait for a key in its pane.
      const own = await diff({ PAGER: pager, SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't' });
      expect(stripVTControlCharacters(own.out)).to.equal(plain);
      expect(await diff({ PAGER: 'exit 0' })).to.include({ code: 0, err: '' });
      expect((await diff({ PAGER: '/nowhere/pager' })).err).to.equal('PAGER is /nowhere/pager: it cannot be run\n');
    } finally {
      folder.remove();
    }
  });

  it('print threads with their current lines, for people and agents alike', async () => {
    const { out } = await muster(['threads', 'lead', '--open', '--unread']);
    expect(out).to.match(/^rvw_1 by a person, \S+ ago, on round 1: changes requested: Two things\n\nthr_1/);
    expect(out).to.contain('thr_1 src/a.ts:3-4 (round 1, open, answered, at src/b.ts:7-8 in round 2)\n    +b\n');
    expect(out).to.contain('\\u001b[31mc');
    expect(out).to.match(/\n {2}reader, \S+ ago, not released \(msg_1\)\n {4}Name it\n {4}what it is\.\n/);
    expect(out).to.contain('    suggested:\n    |   d();\n');
    expect((await muster(['threads', 'lead', '--open', '--unread', '-o', 'table'])).out).to.equal(out);
    await muster(['threads', '--resolved', '--file', 'a', '--round', 'rnd_1']);
    expect(asked('ListReviewThreads').slice(1)).to.deep.equal([
      { agentId: 'agt_lead', resolved: false, unreadByHuman: true, pagination: { pageSize: 200 } },
      { roundId: 'rnd_1', filePath: 'a', resolved: true, pagination: { pageSize: 200 } },
    ]);
  });

  it('write a comment on lines, on the old side, and on a file, and refuse an invalid place', async () => {
    const { out } = await muster(['comment', 'lead', 'src/a.ts:3-4', 'Name it.', '--suggest', 'a\n b'], { tty: true });
    expect(out).to.equal('thr_1 is saved; only you see it until you release it\n');
    await muster(['comment', 'lead', 'a:7', '--old', '5', '--quote', '-x\n+y', '--snapshot', 's', '--base', 'b'], {
      stdin: 'From input\n',
    });
    await muster(['comment', 'lead', 'a b', 'x']);
    const lead = { agentId: 'agt_lead' };
    expect(asked('CreateReviewThread')).to.deep.equal([
      { ...lead, filePath: 'src/a.ts', newStart: 3, newEnd: 4, body: 'Name it.', suggestion: ['a', ' b'] },
      {
        ...lead,
        filePath: 'a',
        newStart: 7,
        newEnd: 7,
        body: 'From input',
        oldStart: 5,
        oldEnd: 5,
        quotedLines: ['-x', '+y'],
        snapshotSha: 's',
        baseSha: 'b',
      },
      { ...lead, filePath: 'a b', body: 'x' },
    ]);
    for (const place of ['a:9-3', 'a:0']) {
      expect((await muster(['comment', 'lead', place, 'x'])).code, place).to.equal(2);
    }
  });

  it('write a comment without a name in a reviewer’s pane, and require one from a person', async () => {
    await muster(['comment', 'src/a.ts:3-4', 'Name it.']);
    await muster(['comment', 'src/a.ts', 'Name it.']);
    await muster(['comment', 'src/a.ts:7'], { stdin: 'From input\n' });
    await muster(['comment', 'lead', 'src/a.ts'], { stdin: 'Of the file\n' });
    const lead = { agentId: 'agt_lead', filePath: 'src/a.ts' };
    expect(asked('CreateReviewThread')).to.deep.equal([
      { ...lead, newStart: 3, newEnd: 4, body: 'Name it.' },
      { ...lead, body: 'Name it.' },
      { ...lead, newStart: 7, newEnd: 7, body: 'From input' },
      { ...lead, body: 'Of the file' },
    ]);
    const folder = temporaryFolder('comment');
    try {
      const env = personEnv(folder.path, service.url);
      const { code, err } = await muster(['comment', 'src/a.ts:3'], { env });
      expect([code, err]).to.deep.equal([2, 'name an agent: muster review comment NAME FILE:LINE\n']);
    } finally {
      folder.remove();
    }
    service.on(`${path}/ListReviewRounds`, () => ({}));
    expect((await muster(['comment', 'src/a.ts:3', 'x'])).err).to.equal(
      'there is no round to comment on: muster review start makes one\n',
    );
  });

  it('release and discard', async () => {
    const { out } = await muster(['release', 'lead', '--verdict', 'changes', '-m', 'Two'], { tty: true });
    expect(out).to.equal('rvw_1 is released on round 2 with 1 comment\n');
    await muster(['release', '--verdict', 'approved']);
    expect(asked('ReleaseReview')).to.deep.equal([
      { agentId: 'agt_lead', verdict: 'REVIEW_VERDICT_CHANGES_REQUESTED', summary: 'Two' },
      { verdict: 'REVIEW_VERDICT_APPROVED' },
    ]);
    expect((await muster(['release', 'lead'])).code).to.equal(2);
    service.on(`${path}/DiscardReview`, () => ({}));
    expect((await muster(['discard', 'lead'], { tty: true })).out).to.equal('There was nothing to discard\n');
  });

  it('reply, resolve, reopen, and apply a suggestion', async () => {
    const sentAt = '2026-11-21T08:00:00.000Z';
    service.on(`${path}/ReplyReviewThread`, ({ body }) => ({
      thread: { id: 'thr_1', messages: [{ id: 'msg_2', body, ...(body === 'heard' && { sentAt }) }] },
    }));
    service.on(`${path}/ResolveReviewThread`, ({ threadId }) => ({ thread: { id: threadId, resolvedAt: sentAt } }));
    service.on(`${path}/ReopenReviewThread`, ({ threadId }) => ({ thread: { id: threadId } }));
    service.on(`${path}/ApplyReviewSuggestion`, () => ({ filePath: 'a', start: 3, end: 4 }));
    const said = async (...argv: string[]) => (await muster(argv, { tty: true })).out;
    expect(await said('reply', 'thr_1', 'heard')).to.equal('thr_1 is answered\n');
    expect(await said('reply', 'thr_1', 'x')).to.equal('thr_1 is answered; the agent sees it once you release it\n');
    expect(await said('resolve', 'thr_1', 'thr_2')).to.equal('thr_1 is resolved\nthr_2 is resolved\n');
    expect(await said('reopen', 'thr_1')).to.equal('thr_1 is open\n');
    expect(await said('apply', 'thr_1', '--message', 'msg_1')).to.equal('Applied in a, lines 3 to 4\n');
    expect(service.requestsOf(`${path}/ApplyReviewSuggestion`)).to.deep.equal([
      { threadId: 'thr_1', messageId: 'msg_1' },
    ]);
  });

  it('appear in the details of an agent', async () => {
    let verdicts = {};
    const shown = async (agent: object) => {
      const row = {
        agent: { id: 'agt_lead', name: 'lead', treeStandingSha: snapshot, ...agent },
        localReviewRounds: 2,
      };
      service.on(`${path}/FindAgent`, () => ({
        agent: { ...row, localReviewVerdict: 'REVIEW_VERDICT_CHANGES_REQUESTED' as const, ...verdicts },
      }));
      return (
        await runInside(['show', 'lead'], {
          env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' },
          tty: true,
        })
      ).out;
    };
    expect(await shown({})).to.match(
      /review +2 rounds, changes requested\n.*newest round +b{12}: unchanged since this round/s,
    );
    verdicts = { localReviewRounds: 1 };
    expect(await shown({})).to.match(/review +1 round, changes requested\n/);
    verdicts = {};
    expect(await shown({ movedSinceRound: snapshot })).to.contain(': changed since this round');
    const conclusion = { verdict: 'REVIEW_VERDICT_APPROVED', authorKind: 'REVIEW_AUTHOR_KIND_AGENT' };
    const launcher = { kind: 'REVIEW_LAUNCHER_KIND_HUMAN' };
    const notCounting = 'REVIEW_NOT_COUNTING_LAUNCHED_BY_ITSELF';
    verdicts = {
      localReviewConclusion: { ...conclusion, authorName: 'checker', launcher },
      uncountedReviewConclusion: { ...conclusion, authorName: 'puppet', notCounting },
    };
    const told = await shown({});
    expect(told).to.match(/review +2 rounds, approved by checker, launched by a person\n/);
    expect(told).to.match(/other verdict +approved by puppet, does not count: launched by the agent itself\n/);
    verdicts = {};
    expect(await shown({ treeStanding: 'REVIEW_TREE_STANDING_LANDED', movedSinceRound: snapshot })).to.contain(
      ': merged into base\n',
    );
  });

  it('report a refusal with the command line’s names', async () => {
    service.on(`${path}/CreateReviewThread`, () => {
      throw refusalWith('failed_precondition', 'It has no review round yet: start_review_round creates one');
    });
    const { code, err } = await muster(['comment', 'lead', 'a', 'x']);
    expect([code, err]).to.deep.equal([6, 'It has no review round yet: muster review start creates one\n']);
  });
});
