import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Doorbell } from '#contract/doorbell.ts';
import type { Review } from '#contract/review/review.ts';
import type { ReviewThread } from '#contract/review/review-thread.ts';
import { type AgentCaller, agentCaller } from '#test/support/agent-caller.ts';
import { moment } from '#test/support/moment.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { timesOf } from '#test/support/soak.ts';

const service = 'agent.v1.AgentService';
const kills = timesOf('MUSTER_TEST_RELEASES', 2, 12);

describe(`a registry that is killed ${kills} times while a review is released`, function () {
  this.timeout(300_000);
  let pieces: Pieces;
  let implementer: AgentCaller;
  let reviewer: AgentCaller;

  before(async () => {
    pieces = await setUpPieces();
    for (const piece of ['registry', 'host', 'gateway'] as const) await pieces.start(piece);
    const { workflow } = await pieces.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', {
      name: 'review',
      cwd: pieces.repository,
      harness: 'shell',
      provisionEnabled: false,
    });
    const launch = async (request: object): Promise<AgentCaller> => {
      const given = { prompt: 'true', workflowId: workflow.id, ...request };
      const { agent } = await pieces.call<{ agent: { id: string } }>(`${service}/CreateAgent`, given);
      return agentCaller(pieces, agent.id);
    };
    implementer = await launch({ title: 'implementer', role: 'AGENT_ROLE_IMPLEMENTER' });
    await moment('the implementer is idle', async () => {
      const { agentId } = implementer;
      const { agent } = await pieces.call<{ agent: { agent: { state: string } } }>(`${service}/GetAgent`, { agentId });
      return agent.agent.state === 'AGENT_STATE_IDLE';
    });
    writeFileSync(join(pieces.repository, 'new.txt'), 'one\ntwo\nthree\n');
    reviewer = await launch({
      title: 'reviewer',
      role: 'AGENT_ROLE_REVIEWER',
      parentAgentId: implementer.agentId,
    });
  });
  after(() => pieces.stop());

  /** Writes three comments; gives the id of the batch that they are in. */
  async function write(): Promise<string> {
    let reviewId = '';
    for (const line of [1, 2, 3]) {
      const { thread } = await reviewer.call<{ thread: ReviewThread }>('CreateReviewThread', {
        agentId: implementer.agentId,
        filePath: 'new.txt',
        newStart: line,
        newEnd: line,
        body: `Line ${line}.`,
      });
      reviewId = thread.reviewId ?? '';
    }
    return reviewId;
  }

  const release = (reviewId: string) =>
    reviewer.call<{ review: Review }>('ReleaseReview', { reviewId, verdict: 'REVIEW_VERDICT_COMMENTED' });

  /** How often the agent under review was notified of a batch's release. */
  async function toReading(reviewId: string): Promise<number> {
    const { facts = [] } = await pieces.call<{ facts?: { kind: string; detail: string }[] }>(
      'fact.v1.FactService/ListFacts',
      { subjectId: implementer.agentId, pageSize: 200 },
    );
    return facts.filter(({ kind, detail }) => kind === 'review.released' && detail.includes(reviewId)).length;
  }

  /**
   * What the agent under review sees of a batch: how many comments, and how often its release was reported. The release
   * that is in progress may end between the two reads, which are then repeated.
   */
  async function seen(reviewId: string): Promise<{ comments: number; told: number }> {
    for (let told = await toReading(reviewId); ; ) {
      const { threads = [] } = await implementer.call<{ threads?: ReviewThread[] }>('ListReviewThreads', {
        filePath: 'new.txt',
        pagination: { pageSize: 200 },
      });
      const before = told;
      told = await toReading(reviewId);
      if (told === before) return { comments: threads.filter((thread) => thread.reviewId === reviewId).length, told };
    }
  }

  it('releases all of it or nothing, and rings the agent once', async () => {
    const first = await write();
    const begun = performance.now();
    await release(first);
    const defaultMs = performance.now() - begun;
    await implementer.call('ClaimDoorbells', {});
    const outcomes = { all: 0, nothing: 0 };
    for (let kill = 0; kill < kills; kill += 1) {
      const reviewId = await write();
      const releasing = release(reviewId);
      // The kill is to strike at each moment from the asking to the answer: this pause is the fault's own time.
      await pause((defaultMs * kill) / (kills - 2));
      await pieces.kill('registry');
      const answered = releasing.then(() => true);
      await pieces.start('registry');
      const { comments, told } = await seen(reviewId);
      expect([comments, told]).to.deep.equal(comments === 0 ? [0, 0] : [3, 1]);
      outcomes[comments === 0 ? 'nothing' : 'all'] += 1;
      await answered;
      expect((await release(reviewId)).review).to.include({ state: 'REVIEW_STATE_RELEASED', comments: 3 });
      expect(await seen(reviewId)).to.deep.equal({ comments: 3, told: 1 });
      const { doorbells = [] } = await implementer.call<{ doorbells?: Doorbell[] }>('ClaimDoorbells', {});
      expect(doorbells.map(({ causes }) => causes)).to.deep.equal([[{ cause: 'DOORBELL_CAUSE_REVIEW', count: 3 }]]);
    }
    console.log(
      `      ${kills} kills within ${Math.round(defaultMs)} ms: ${JSON.stringify(outcomes)} seen right after`,
    );
  });
});
