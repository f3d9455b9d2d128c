import { expect } from 'chai';
import { nothingChosen, rangeIn, type Selection, type SelectionAction, selected } from '#page/review/code/selecting.ts';

const chosenBy = (...done: readonly SelectionAction[]): Selection => done.reduce(selected, nothingChosen);

describe('the selection of rows of a diff', () => {
  it('follows a drag in either direction, once the button is released', () => {
    const press: SelectionAction = { act: 'press', at: 5, isExtended: false };
    const dragged = chosenBy(press, { act: 'drag', at: 3 });
    expect(rangeIn(dragged)).to.deep.equal({ first: 3, last: 5 });
    expect(dragged.isWriting).to.equal(false);
    expect(selected(dragged, { act: 'write' }).isWriting).to.equal(true);
    expect(rangeIn(selected(dragged, { act: 'abandon' }))).to.equal(undefined);
    expect(rangeIn(chosenBy(press, { act: 'press', at: 8, isExtended: true }))).to.deep.equal({ first: 5, last: 8 });
  });

  it('is not made by a press elsewhere, nor lost when the mouse leaves', () => {
    expect(chosenBy({ act: 'drag', at: 3 }, { act: 'write' })).to.deep.equal(nothingChosen);
    const writing = chosenBy({ act: 'press', at: 2, isExtended: false }, { act: 'write' });
    for (const act of [{ act: 'drag', at: 9 }, { act: 'abandon' }, { act: 'write' }] as const) {
      expect(selected(writing, act)).to.equal(writing);
    }
    expect(rangeIn(selected(writing, { act: 'end' }))).to.equal(undefined);
  });

  it('extends with Shift from its first row, or is one row', () => {
    const down = (start: number, isExtended: boolean): SelectionAction => ({
      act: 'go',
      start,
      at: start + 1,
      isExtended,
    });
    const two = chosenBy(down(0, false), down(4, true), down(5, true));
    expect(rangeIn(two)).to.deep.equal({ first: 4, last: 6 });
    expect(selected(two, { act: 'write', at: 6 })).to.deep.equal({ current: 6, from: 4, to: 6, isWriting: true });
    expect(rangeIn(selected(two, down(6, false)))).to.equal(undefined);
    expect(rangeIn(chosenBy(down(0, false), { act: 'write', at: 1 }))).to.deep.equal({ first: 1, last: 1 });
  });
});
