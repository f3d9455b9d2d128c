import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { inSoak } from '#test/support/soak.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { runProgram } from './command-line.ts';
import { startService, type WholeService } from './whole-service.ts';

describe('the demonstration of a fleet', function () {
  this.timeout(180_000);
  let home: TemporaryFolder;
  let service: WholeService;
  const muster = (...argv: string[]) =>
    runProgram(argv, { env: { MUSTER_HOME: home.path, MUSTER_URL: service.url, NO_COLOR: '1' } });
  const rows = async (...argv: string[]) => JSON.parse((await muster('ls', '-o', 'json', ...argv)).out) as AgentRow[];

  before(async () => {
    home = temporaryFolder('demo');
    service = await startService(home.path);
  });
  after(async () => {
    await service.end();
    home.remove();
  });

  it('launches three agents, mails and rings them, gets replies, and ends', async () => {
    const { out, err, code } = await muster('demo');
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    for (const name of ['greet-en', 'greet-de', 'greet-fr']) {
      expect(out).to.include(`${name} is launched`).and.to.include(`mail from lead to ${name}\n`);
      // One that takes its mail at once may do so before its ring is noted.
      expect(out).to.include(`${name} takes its mail`).and.to.include(`mail from ${name} to lead`);
      expect(out).to.include(`${name} is archived`);
    }
    expect(out).to.match(/6 mails, [1-9]\d* rings/);
    const [lead] = await rows();
    const recorded = lead?.agent?.metadata ?? [];
    expect(recorded.map(({ key }) => key)).to.deep.equal(['greet-en', 'greet-de', 'greet-fr']);
    const repository = join(home.path, 'demo', 'repository');
    const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' });
    for (const { key = '', value = '' } of recorded) {
      const [branch = '', sha = ''] = value.split(' ');
      expect(git('rev-parse', '--short', branch).trim()).to.equal(sha);
      const language = key.slice('greet-'.length);
      expect(git('ls-tree', '-r', '--name-only', branch)).to.equal(`SIGNED.txt\ngreetings/${language}.txt\n`);
      expect(git('show', `${branch}:SIGNED.txt`)).to.equal('signed for lead\n');
    }
    expect((await rows('--archived')).map(({ unreadMail = false }) => unreadMail)).to.not.include(true);
  });

  inSoak('has work reviewed in two rounds by a reviewer that the person launched, and landed', async () => {
    const { out, err, code } = await muster('demo', '--review');
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect(out).to.include('has requested changes').and.to.include('approved round 2').and.to.include('as landed');
    // What landed in a pane is the person’s prompt, and for a reviewer what it reviews; the rest came by its tools.
    for (const [name, prompt] of [
      ['author', /^Write greeting\.txt\.$/],
      ['reviewer', /^You are a reviewer: .*\n\nYou review the work of .*\n\nReview the greeting\.$/],
    ] as const) {
      const { agent } = JSON.parse((await muster('show', name, '-o', 'json')).out) as AgentRow;
      expect(agent?.prompt).to.match(prompt);
      expect((await muster('read', name)).out).to.not.match(/list_review_threads|create_review_thread/);
    }
    const repository = join(home.path, 'demo', 'repository');
    const landed = execFileSync('git', ['-C', repository, 'show', 'main:greeting.txt'], { encoding: 'utf8' });
    expect(landed).to.equal('Helo,\nworld!\n');
    const { threads, reviews } = JSON.parse((await muster('review', 'threads', 'author', '-o', 'json')).out) as {
      threads: { place?: { state: string }; messages: { body: string; delivery?: string }[] }[];
      reviews: { verdict: string; notCounting?: string; launcher?: object }[];
    };
    for (const { launcher, notCounting } of reviews) {
      expect({ launcher, notCounting }).to.deep.equal({
        launcher: { kind: 'REVIEW_LAUNCHER_KIND_HUMAN' },
        notCounting: undefined,
      });
    }
    expect((await muster('show', 'author', '-o', 'table')).out).to.match(
      /review +2 rounds, approved by reviewer, launched by a person/,
    );
    expect(reviews.map(({ verdict }) => verdict)).to.deep.equal([
      'REVIEW_VERDICT_APPROVED',
      'REVIEW_VERDICT_CHANGES_REQUESTED',
    ]);
    expect(threads.map(({ messages }) => messages.map(({ body }) => body).at(-1))).to.have.members([
      'Applied.',
      'Left out.',
    ]);
    for (const { messages, place } of threads) {
      expect(messages[0]?.delivery).to.equal('REVIEW_DELIVERY_STATE_DELIVERED');
      expect(place?.state).to.equal('REVIEW_PLACE_STATE_CHANGED');
    }
  });

  it('removes everything that it made', async () => {
    const { out, code } = await muster('demo', '--clean');
    expect({ out, code }).to.deep.equal({ out: 'The demo is removed.\n', code: 0 });
    expect(await rows('--all')).to.deep.equal([]);
    expect(existsSync(join(home.path, 'demo'))).to.equal(false);
    expect(existsSync(join(home.path, 'rules', 'muster-demo.json'))).to.equal(false);
    expect((await muster('workflow', 'show', 'muster-demo')).code).to.equal(4);
  });
});
