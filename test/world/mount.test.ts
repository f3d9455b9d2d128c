import { expect } from 'chai';
import { shownAt } from '#world/isolation/mount.ts';

describe('what an isolated program is shown', () => {
  it('is nothing for a path that is empty, relative or missing, and never the working directory', () => {
    for (const path of ['', '.', 'src', '/no/such/folder']) expect(shownAt(path, 'read'), path).to.deep.equal([]);
    expect(shownAt('/', 'read')).to.deep.equal([{ at: '/', from: '/', access: 'read' }]);
  });
});
