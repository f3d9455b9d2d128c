import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { ReviewThread } from '#contract/review/review-thread.ts';
import { moment } from '#test/support/moment.ts';
import { installMs } from '#test/support/npm-package.ts';
import { oneAfterAnother } from '#test/support/one-after-another.ts';
import { claude } from './cli/claude.ts';
import { installedProgram } from './install.ts';
import { type Lab, startLab } from './lab.ts';
import type { LabAgent } from './lab-agent.ts';
import { callTool } from './tool-call.ts';
import { patience, Turns } from './turns.ts';

interface Diff {
  readonly baseSha: string;
  readonly snapshotSha: string;
  readonly files: readonly { readonly path: string; readonly patch: string }[];
}

/** A whole review in two rounds, by two real Claude Code that call muster’s tools. */
describe('a review between two agents on the real claude', function () {
  this.timeout(180_000);
  let lab: Lab;
  let author: LabAgent;
  let reviewer: LabAgent;
  let turns: Turns;

  before(async function () {
    this.timeout(installMs);
    lab = await startLab(claude, await installedProgram(claude.harness), ['apply_review_suggestion']);
    turns = new Turns(claude, lab.model);
  });
  oneAfterAnother();
  after(async () => {
    await lab?.stop();
    expect(lab?.model.faults).to.deep.equal([]);
  });

  async function call<T>(agent: LabAgent, tool: string, input: object = {}): Promise<T> {
    // Claude Code gives its model what a tool answers as a string.
    return JSON.parse(JSON.parse(await callTool(lab.model, agent, tool, input))) as T;
  }

  const run = (command: string) => turns.run(author, command);
  const threads = async (): Promise<readonly ReviewThread[]> => {
    const request = { agentId: author.id };
    const listed = await lab.call<{ threads?: ReviewThread[] }>('agent.v1.AgentService/ListReviewThreads', request);
    return listed.threads ?? [];
  };
  async function rung(agent: LabAgent): Promise<void> {
    await turns.untilRung(agent);
    await call(agent, 'claim_doorbells');
  }

  it('begins when the author has written something and a person launches a reviewer, whose verdict counts', async () => {
    author = await lab.launch('Write a greeting. #reply#', 'worktree');
    await author.until('WAITING trust');
    await author.press(claude.trusting);
    await author.until('IDLE');
    await run("printf 'Hello,\\nwrold!\\nGood bye.\\n' > greeting.txt");
    const { agent } = await lab.call<{ agent: Agent }>('agent.v1.AgentService/CreateAgent', {
      workflowId: lab.workflowId,
      parentAgentId: author.id,
      role: 'AGENT_ROLE_REVIEWER',
      prompt: 'Review the greeting. Do not answer at length.',
    });
    reviewer = await lab.follow(agent);
    await turns.trust(reviewer);
    await reviewer.until('IDLE');
  });

  it('continues with two comments that nobody sees until they are released', async () => {
    const { baseSha, snapshotSha, files } = await call<Diff>(reviewer, 'get_review_diff');
    expect(files.map(({ path, patch }) => [path, patch.includes('+wrold!')])).to.deep.equal([['greeting.txt', true]]);
    const at = { agentId: author.id, filePath: 'greeting.txt', baseSha, snapshotSha };
    const first = { newStart: 2, newEnd: 2, quotedLines: ['+wrold!'], suggestion: ['world!'] };
    await call(reviewer, 'create_review_thread', { ...at, ...first, body: 'The world is misspelt.' });
    const second = { newStart: 3, newEnd: 3, quotedLines: ['+Good bye.'] };
    await call(reviewer, 'create_review_thread', { ...at, ...second, body: 'A greeting takes no leave.' });
    expect(await threads()).to.deep.equal([]);
    const verdict = 'REVIEW_VERDICT_CHANGES_REQUESTED';
    await call(reviewer, 'release_review', { verdict, summary: 'Two lines are wrong.' });
    const delivered = (await threads()).flatMap(({ messages = [] }) => messages.map(({ delivery }) => delivery));
    expect(delivered).to.deep.equal(['REVIEW_DELIVERY_STATE_SENT', 'REVIEW_DELIVERY_STATE_SENT']);
    expect(await author.listed()).to.include({ localReviewVerdict: verdict, localReviewRounds: 1 });
  });

  it('rings the author, who applies one, answers both and has it read again', async () => {
    await rung(author);
    await call(author, 'claim_doorbells');
    const { threads: open } = await call<{ threads: ReviewThread[] }>(author, 'list_review_threads', {
      resolved: false,
    });
    const [suggested, other] = open.toSorted((a, b) => (a.newStart ?? 0) - (b.newStart ?? 0));
    await call(author, 'apply_review_suggestion', { threadId: suggested?.id });
    await call(author, 'reply_review_thread', { threadId: suggested?.id, body: 'Applied.' });
    await run('sed -i 3d greeting.txt');
    await call(author, 'reply_review_thread', { threadId: other?.id, body: 'Left out.' });
    const { cwd = '' } = await author.row();
    expect(readFileSync(join(cwd, 'greeting.txt'), 'utf8')).to.equal('Hello,\nworld!\n');
    await call(author, 'start_review_round');
  });

  it('ends approved, and shows that the work has landed', async () => {
    await rung(reviewer);
    await call<Diff>(reviewer, 'get_review_diff');
    const verdict = 'REVIEW_VERDICT_APPROVED';
    await call(reviewer, 'release_review', { verdict, summary: 'Good as it is.' });
    await rung(author);
    expect(await author.listed()).to.include({ localReviewVerdict: verdict, localReviewRounds: 2 });
    await run('git add -A && git -c user.name=Claude -c user.email=claude@example.org commit -q -m Greet');
    const { branch = '' } = await author.row();
    execFileSync('git', ['-C', lab.repository, 'merge', '--quiet', '--ff-only', branch]);
    await moment('LANDED', async () => (await author.row()).treeStanding === 'REVIEW_TREE_STANDING_LANDED', patience);
  });
});
