import { expect } from 'chai';
import { changesOf } from '#machines/chart/changes.ts';

describe('the changes of a machine’s context', () => {
  it('are listed by field, with the old values', () => {
    const before = {
      name: 'a',
      checkout: { branch: 'x', dirty: false },
      marks: [1, 2],
      gone: null,
      same: { deep: [1] },
    };
    const after = { name: 'b', checkout: { branch: 'x', dirty: true }, marks: [1], since: 5, same: { deep: [1] } };
    expect(changesOf(before, after)).to.deep.equal([
      { path: 'checkout.dirty', before: 'false', after: 'true' },
      { path: 'gone', before: 'null', after: '' },
      { path: 'marks', before: '[1,2]', after: '[1]' },
      { path: 'name', before: '"a"', after: '"b"' },
      { path: 'since', before: '', after: '5' },
    ]);
  });

  it('are listed as a whole for another type, and cut if long', () => {
    expect(changesOf({ at: { x: 1 } }, { at: 3 })).to.deep.equal([{ path: 'at', before: '{"x":1}', after: '3' }]);
    expect(changesOf({}, { text: 'x'.repeat(5_000) })[0]?.after).to.have.length(1_001);
    expect(changesOf({ text: 'x'.repeat(5_000) }, { text: `${'x'.repeat(5_000)}y` })).to.have.length(1);
    expect(changesOf({ a: 1 }, { a: 1 })).to.deep.equal([]);
  });
});
