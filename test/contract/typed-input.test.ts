import { expect } from 'chai';
import { inputsOf } from '#contract/pane/typed-input.ts';

describe('input to a terminal on the page', () => {
  it('is text, and keys by name', () => {
    expect(inputsOf('ab ü漢')).to.deep.equal([{ text: 'ab ü漢' }]);
    expect(inputsOf('y\r')).to.deep.equal([{ text: 'y' }, { key: 'Enter' }]);
    expect(inputsOf('\u001b')).to.deep.equal([{ key: 'Escape' }]);
    expect(inputsOf('\u001b[A\u001b[Z\u007f\t')).to.deep.equal([
      { key: 'Up' },
      { key: 'BTab' },
      { key: 'BSpace' },
      { key: 'Tab' },
    ]);
    expect(inputsOf('\u0003\u001a')).to.deep.equal([{ key: 'C-c' }, { key: 'C-z' }]);
  });

  it('omits sequences that are not keys', () => {
    expect(inputsOf('a\u001b[200~b\u001b[?1;2cc\u001bOP')).to.deep.equal([{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
  });
});
