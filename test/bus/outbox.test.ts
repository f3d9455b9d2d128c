import { expect } from 'chai';
import { Outbox } from '#bus/call/outbox.ts';

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the outbox of a connection', () => {
  it('publishes at the end of the event loop’s turn, in the order of the calls', async () => {
    const outbox = new Outbox();
    const published: string[] = [];
    const first = outbox.send(() => published.push('first'));
    await Promise.resolve();
    const second = outbox.send(() => published.push('second'));
    expect(published).to.deep.equal([]);
    await endOfTurn();
    expect(published).to.deep.equal(['first', 'second']);
    await Promise.all([first, second]);
  });

  it('rejects only the failed message: the queued ones are published', async () => {
    const outbox = new Outbox();
    const published: string[] = [];
    const refused = outbox.send(() => {
      throw new Error('too large');
    });
    const sent = outbox.send(() => published.push('behind it'));
    expect(await refused.catch((error: Error) => error.message)).to.equal('too large');
    await sent;
    expect(published).to.deep.equal(['behind it']);
  });

  it('publishes once, even if it is flushed before the turn ends', async () => {
    const outbox = new Outbox();
    const published: string[] = [];
    const sent = outbox.send(() => published.push('once'));
    outbox.flush();
    await sent;
    await endOfTurn();
    expect(published).to.deep.equal(['once']);
  });
});
