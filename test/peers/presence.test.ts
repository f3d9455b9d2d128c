import { expect } from 'chai';
import { holderOf } from '#actors/registry/peer/holder.ts';
import { announcePresence } from '#actors/registry/peer/presence.ts';
import { presenceSubject } from '#bus/subjects.ts';
import { moment } from '#test/support/moment.ts';

describe('a registry that announces itself to gateways', () => {
  const holder = holderOf('one', '/home', 1_000);

  it('does so as long as its database answers, and says when it leaves', async () => {
    const announced: unknown[] = [];
    let asked = 0;
    let isAway = false;
    const sharedTime = async () => {
      asked += 1;
      if (isAway) throw new Error('The database is away');
      return { now: 0, steps: 0 };
    };
    const publish = (subject: string, body?: unknown) => {
      expect(subject).to.equal(presenceSubject);
      announced.push(body);
    };
    const presence = announcePresence({ bus: { publish, sealKey: 'key' }, store: { sharedTime }, holder });
    await moment('it is announced twice', () => announced.length === 2);
    isAway = true;
    const askedBefore = asked;
    await moment('the database is asked twice more', () => asked === askedBefore + 2);
    expect(announced).to.have.length(2);
    isAway = false;
    await moment('it is announced again', () => announced.length === 3);
    await presence.stop();
    await presence.stop();
    expect(announced.at(-1)).to.include({
      installation: 'one',
      instance: holder.instance,
      sealKey: 'key',
      isLeaving: true,
    });
    expect(announced).to.have.length(4);
  });
});
