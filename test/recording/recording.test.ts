import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { castText, readCast } from './cast-file.ts';
import { framesOf } from './frames.ts';
import { svgOf } from './svg.ts';

const file = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

describe('the recording in docs/', () => {
  const text = file('recording.cast');
  const cast = readCast(text);
  const svg = file('recording.svg');

  it('has asciinema’s format, in order, about 40 seconds long, without long pauses', () => {
    const times = cast.outputs.map(({ at }) => at);
    const pauses = times.slice(1).map((at, place) => at - (times[place] ?? 0));
    expect(castText(cast)).to.equal(text);
    expect(times.at(-1)).to.be.within(25, 50);
    expect(Math.min(...pauses)).to.be.at.least(0);
    expect(Math.max(...pauses)).to.be.below(5);
  });

  it('shows a start, launches, a list, an answer and a review, and no private folders', async () => {
    const frames = await framesOf(cast);
    const shown = frames.map(({ rows }) => rows.map((row) => row.map((one) => one.text).join('')).join('\n'));
    for (const words of [
      'muster is ready at',
      'WAITING (permission)',
      'Do you want to create',
      'is released on round 1',
    ])
      expect(
        shown.some((one) => one.includes(words)),
        words,
      ).to.equal(true);
    expect(shown[0]).to.include('~/shop $');
    expect(text).not.to.match(/\/(?:tmp|root|work|Users)\//);
  });

  it('matches the picture next to it, which is self-contained and runs no script', async () => {
    expect(svg, 'stale: run npm run recording').to.equal(await svgOf(cast));
    expect(svg.length).to.be.below(400_000);
    expect(svg).not.to.match(/<script|<image|<foreignObject|href=|url\(|@import/i);
  });
});
