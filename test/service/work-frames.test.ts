import { expect } from 'chai';
import { framesAtWork } from '#service/recording/work-frames.ts';
import { captureOf } from '#test/pane/screen-corpus.ts';

describe('recorded frames of work', () => {
  const at = (size: string, ...texts: readonly string[]) =>
    texts.map((text) => captureOf([text], { size, cursor: '0,0' }));
  const textsOf = (...sizes: readonly (readonly string[])[]) => {
    const frames = framesAtWork(sizes.map((texts, place) => at(place === 0 ? '200x50' : '80x24', ...texts)));
    return frames.map(({ rows, width }) => `${rows[0]} ${width}`);
  };

  it('are those that another one follows', () => {
    expect(textsOf(['◴ 1s', '◷ 1s', '◶ 2s'])).to.deep.equal(['◴ 1s 200', '◷ 1s 200']);
  });

  it('exclude a size in which the work has ended', () => {
    expect(textsOf(['◴ 1s', '◷ 1s', 'took 2s'], ['took 2s', 'took 2s'])).to.deep.equal(['◴ 1s 200', '◷ 1s 200']);
  });

  it('exclude the end of the work, even if repeated', () => {
    expect(textsOf(['◴ 1s', 'took 2s', 'took 2s'])).to.deep.equal(['◴ 1s 200']);
  });

  it('are all of them if nothing changes', () => {
    expect(textsOf(['Thinking', 'Thinking'], ['Thinking'])).to.deep.equal([
      'Thinking 200',
      'Thinking 200',
      'Thinking 80',
    ]);
  });
});
