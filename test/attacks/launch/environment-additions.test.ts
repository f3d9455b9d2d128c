import { expect } from 'chai';
import { checkAdditions } from '#actors/registry/placement/environment-additions.ts';
import { withAdditions } from '#world/process/environment.ts';

describe('the additions to an environment', () => {
  it('are limited, unique, and contain no NUL', () => {
    expect(() => checkAdditions(['A=1', 'A'])).to.throw('twice');
    expect(() => checkAdditions(['A=1\0B=2'])).to.throw('NUL');
    expect(() => checkAdditions(['A', 'B', 'C', 'D', 'E'].map((name) => `${name}=${'x'.repeat(8_000)}`))).to.throw(
      '32768',
    );
  });

  it('are empty for a name that the host does not have', () => {
    expect(withAdditions({ A: '1' }, { B: '2' }, ['A', 'B', 'C', 'D='])).to.deep.equal({ A: '1', B: '2', D: '' });
  });
});
