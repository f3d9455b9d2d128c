import { expect } from 'chai';
import { budgetNoticeOf } from '#actors/registry/notify/notice.ts';

describe('the notice of a budget', () => {
  const noticeOf = (kind: string, detail: object) =>
    budgetNoticeOf({ seq: 7n, kind, subjectId: 'wfl_1', at: 0, detail: { name: 'web', ...detail } } as never);

  it('says how much is used, and what follows', () => {
    const near = noticeOf('budget.near', { measure: 'work', used: 400, limit: 480 });
    expect(near).to.deep.include({
      event: 'budget-near',
      text: 'workflow web has used 83 % of its 8 h at work a day',
    });
    expect(noticeOf('budget.near', { measure: 'work', used: 0, limit: 1 }).text).to.contain('80 % of its 1 min');
    expect(near.budget).to.deep.equal({ ownerId: 'wfl_1', ownerName: 'web', measure: 'work', used: 400, limit: 480 });
    expect(noticeOf('budget.spent', { measure: 'turns', used: 20, limit: 20 })).to.deep.include({
      event: 'budget-spent',
      text: 'workflow web has used up its 20 turns a day: its agents are held',
    });
    expect(noticeOf('budget.spent', { measure: 'launches', used: 1, limit: 1 }).text).to.equal(
      'workflow web has used up its 1 launch a day: no more are launched',
    );
  });
});
