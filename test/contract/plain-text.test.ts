import { expect } from 'chai';
import { eastAsianWidth } from 'get-east-asian-width';
import { isPlainText } from '#contract/pane/plain-text.ts';

describe('plain text', () => {
  it('has only characters that are safe to show, join no other, and take one cell', () => {
    const plain = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter(isPlainText);
    expect(plain).to.include.members(['a', 'é', '’', '−', '…', '·', '└']);
    for (const character of plain) {
      expect(character, 'an unsafe character').not.to.match(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{Cn}]/u);
      expect(character, 'joins another').not.to.match(
        /[\p{M}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Emoji_Presentation}]/u,
      );
      expect(eastAsianWidth(character.charCodeAt(0)), character).to.equal(1);
    }
    expect(['\n', '\u00ad', '\u200b', '\ufe0f', '\u3042', '\u{1f600}'].some(isPlainText)).to.equal(false);
  });
});
