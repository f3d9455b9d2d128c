import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect } from 'chai';
import {
  MailState,
  ReviewAuthorKind,
  ReviewConclusionSchema,
  ReviewLauncherKind,
  ReviewNotCounting,
} from '#page/client/agent/v1/agent_pb.js';
import { PullRequestState } from '#page/client/forge/v1/forge_pb.js';
import { ScheduleRunState } from '#page/client/schedule/v1/schedule_pb.js';
import { threadsOf } from '#page/mail/threads.ts';
import { conclusionWords } from '#page/parts/conclusion.ts';
import { plainText } from '#page/parts/plain-text.ts';
import { stateTag } from '#page/pull-requests/words.ts';
import { dayEdges, placeOf } from '#page/schedules/days.ts';
import { isCancellable, isRetryable, runTag } from '#page/schedules/words.ts';

/** The values of an enumeration as it is generated, without the one for unset. */
const valuesOf = <E extends number>(enumeration: object): E[] =>
  Object.values(enumeration).filter((value): value is E => typeof value === 'number' && value > 0);

describe('the words of the page', () => {
  it('name each state of a run, and mark those that can be cancelled and retried', () => {
    const states = valuesOf<ScheduleRunState>(ScheduleRunState);
    expect(states).to.have.length(8);
    const words = states.map((state) => runTag(state).word);
    expect(new Set(words).size).to.equal(8);
    const those = (may: (state: ScheduleRunState) => boolean) => states.filter(may).map((state) => runTag(state).word);
    expect(those(isCancellable)).to.deep.equal(['available', 'pending', 'scheduled', 'running', 'retryable']);
    expect(those(isRetryable)).to.deep.equal(['pending', 'scheduled', 'retryable', 'cancelled', 'discarded']);
    expect(runTag(99 as ScheduleRunState).word).to.equal('unknown');
  });

  it('name each state of a pull request', () => {
    const none = new Set<PullRequestState>([PullRequestState.UNREAD, PullRequestState.NONE]);
    const states = valuesOf<PullRequestState>(PullRequestState).filter((state) => !none.has(state));
    const words = states.map((state) => stateTag(state).word);
    expect(new Set(words).size).to.equal(9);
    expect(words).not.to.include('unknown');
  });

  it('name a verdict’s author and their launcher, and why it does not count', () => {
    const author = { authorKind: ReviewAuthorKind.AGENT, authorName: 'checker' };
    const said = (launch: MessageInitShape<typeof ReviewConclusionSchema>) =>
      conclusionWords(create(ReviewConclusionSchema, { ...author, ...launch }));
    expect(said({ launcher: { kind: ReviewLauncherKind.HUMAN } })).to.equal('by checker, launched by a person');
    expect(said({ authorKind: ReviewAuthorKind.HUMAN })).to.equal('by a person');
    const reasons = valuesOf<ReviewNotCounting>(ReviewNotCounting).map((notCounting) => said({ notCounting }));
    expect(new Set(reasons).size).to.equal(4);
    expect(reasons[0]).to.equal('by checker, does not count: launched by the agent itself');
  });

  it('show script output without control sequences', () => {
    const written = '\u001b[1;32mok\u001b[0m \u001b]0;title\u0007done\r\n10%\r50%\r100%\n\u0000end\r';
    expect(plainText(written)).to.equal('ok done\n100%\nend');
  });

  it('group mail into threads by reply and cause, even if the beginning is missing', () => {
    const mail = (id: string, more: object) => ({
      $typeName: 'agent.v1.Mail' as const,
      id,
      sentAt: `2026-11-21T09:00:0${id}.000Z`,
      toAgentId: 'b',
      toName: 'bob',
      fromAgentId: 'a',
      fromName: 'ada',
      fromRole: 0,
      subject: `subject ${id}`,
      body: 'text',
      bodyTruncated: false,
      kind: '',
      inReplyTo: '',
      setOffBy: '',
      hops: 0,
      state: MailState.TAKEN,
      rungAt: '',
      takenAt: '',
      idempotencyKey: '',
      ...more,
    });
    const threads = threadsOf([
      mail('5', { inReplyTo: '0', state: MailState.RUNG }),
      mail('4', { setOffBy: '1', fromAgentId: '', fromName: 'the person' }),
      mail('3', { inReplyTo: '2', setOffBy: '1' }),
      mail('2', { setOffBy: '1' }),
      mail('1', {}),
    ]);
    expect(threads.map(({ id, unread }) => [id, unread])).to.deep.equal([
      ['5', 1],
      ['1', 0],
    ]);
    expect(threads[1]?.messages.map(({ mail: { id }, depth }) => [id, depth])).to.deep.equal([
      ['1', 0],
      ['2', 1],
      ['3', 2],
      ['4', 1],
    ]);
    expect(threads[1]?.people).to.deep.equal(['ada', 'bob', 'You']);
  });

  it('show a moment with its day, and nothing outside of the calendar', () => {
    const edges = dayEdges(Date.parse('2026-11-21T15:00:00Z'));
    const [first = 0, second = 0] = edges;
    expect(edges).to.have.length(8);
    expect(placeOf(first, edges)).to.equal(0);
    expect(placeOf((first + second) / 2, edges)).to.equal(0.5);
    expect(placeOf(first - 1, edges)).to.equal(0);
    expect(placeOf((edges[7] ?? 0) + 1, edges)).to.equal(7);
  });
});
