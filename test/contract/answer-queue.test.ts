import { expect } from 'chai';
import {
  type AnswerPiece,
  AnswerQueue,
  type AnswerResult,
  answerRequest,
  piecesText,
} from '#contract/pane/answer-queue.ts';
import { moment } from '#test/support/moment.ts';

/** A queue whose answers come when the test says so. */
function queueOf() {
  const sent: string[] = [];
  const dropped: string[] = [];
  const answers: ((result: AnswerResult | Error) => void)[] = [];
  let waiting: readonly AnswerPiece[] = [];
  const queue = new AnswerQueue({
    send(piece, screenDigest) {
      sent.push(`${piecesText([piece])} at ${screenDigest}`);
      return new Promise((resolve, reject) => {
        answers.push((result) => (result instanceof Error ? reject(result) : resolve(result)));
      });
    },
    onChange: (pieces) => {
      waiting = pieces;
    },
    onDropped: (pieces, error) => dropped.push(`${piecesText(pieces)}: ${error ?? 'another question'}`),
  });
  const answer = async (result: AnswerResult | Error): Promise<void> => {
    const [before, give] = [waiting.length, answers.shift()];
    give?.(result);
    await moment('it to be heard', async () => waiting.length < before);
  };
  return { queue, sent, dropped, answer, waiting: () => piecesText(waiting) };
}

describe('the answer queue', () => {
  it('types answers in order while their question is shown', async () => {
    const { queue, sent, dropped, answer, waiting } = queueOf();
    queue.add({ key: 'Down' }, 'one');
    queue.add({ key: 'Down' }, 'one');
    queue.add({ key: 'Enter' }, 'one');
    expect([sent, waiting()]).to.deep.equal([['Down at one'], 'Down, Down, Enter']);
    await answer({ screenDigest: 'two', sameQuestion: true });
    queue.add({ key: 'Up' }, 'two');
    await answer({ screenDigest: 'three', sameQuestion: true });
    await answer({ screenDigest: 'three', sameQuestion: true });
    await answer({ screenDigest: 'four', sameQuestion: true });
    expect(sent).to.deep.equal(['Down at one', 'Down at two', 'Enter at three', 'Up at three']);
    queue.add({ key: 'Enter' }, 'two');
    expect(sent.at(-1)).to.equal('Enter at four');
    expect([dropped, waiting()]).to.deep.equal([[], 'Enter']);
  });

  it('types nothing into another question, and reports it', async () => {
    const { queue, sent, dropped, answer, waiting } = queueOf();
    queue.add({ key: '1' }, 'one');
    queue.add({ key: '1' }, 'one');
    await answer({ screenDigest: 'next', sameQuestion: false });
    expect([sent, dropped, waiting()]).to.deep.equal([['1 at one'], ['1: another question'], '']);
    queue.add({ key: '2' }, 'next');
    expect(sent.at(-1)).to.equal('2 at next');
  });

  it('types into the next question if the person has seen that one', async () => {
    const { queue, sent, answer } = queueOf();
    queue.add({ key: '1' }, 'one');
    queue.add({ key: '2' }, 'next');
    await answer({ screenDigest: 'next', sameQuestion: false });
    expect(sent).to.deep.equal(['1 at one', '2 at next']);
  });

  it('drops all answers after a refused one, and then starts over', async () => {
    const { queue, sent, dropped, answer } = queueOf();
    queue.add({ line: 'hunter2' }, 'one');
    queue.add({ key: 'Enter' }, 'one');
    await answer(new Error('refused'));
    expect(dropped).to.deep.equal(['what you typed, Enter: Error: refused']);
    queue.add({ key: 'Enter' }, 'one');
    expect(sent.at(-1)).to.equal('Enter at one');
  });

  it('accepts keys, or a line with Enter', () => {
    expect(answerRequest({ key: 'Up' })).to.deep.equal({ keys: ['Up'], text: '' });
    expect(answerRequest({ line: 'Ada' })).to.deep.equal({ keys: ['Enter'], text: 'Ada' });
  });
});
