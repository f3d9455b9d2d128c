import { expect } from 'chai';
import type { NewMail } from '#store/mail/mail-table.ts';
import { type StoreFixture, storeFixture } from './store-fixture.ts';

const mail: NewMail = {
  id: 'mal_1',
  toAgentId: 'agt_1',
  sender: 'person',
  senderName: 'you',
  senderRole: 'AGENT_ROLE_UNSPECIFIED',
  subject: 'Rebase',
  body: 'First \0 \ud83d\udc69 line.',
  kind: '',
  inReplyTo: null,
  setOffBy: null,
  hops: 0,
  idempotencyKey: 'key-1',
  opening: 'First',
  openingCut: true,
  sentAt: 1,
};

describe('the mail in the store', () => {
  let fixture: StoreFixture;

  beforeEach(async () => {
    fixture = await storeFixture();
    await fixture.store.write((tables) => tables.mail.insert(mail));
  });
  afterEach(() => fixture.close());

  const waiting = () => fixture.store.read((tables) => tables.mail.waiting('agt_1', 10));

  it('is read as it was sent', async () => {
    const [{ seq: _, ...read } = {}] = await waiting();
    expect(read).to.deep.equal({ ...mail, claimId: null, rungAt: null, takenAt: null });
  });

  for (const [what, other] of [
    ['an id', { ...mail, idempotencyKey: 'key-2' }],
    ['a sender’s key', { ...mail, id: 'mal_2' }],
  ] as const) {
    it(`has ${what} once`, async () => {
      const error = await fixture.store.write((tables) => tables.mail.insert(other)).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(Error);
      expect(await waiting()).to.have.length(1);
    });
  }
});
