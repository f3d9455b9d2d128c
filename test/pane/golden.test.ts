import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { screensOf } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';
import { captureOf } from './screen-corpus.ts';

interface Expected {
  readonly state: string;
  readonly reason: string;
  readonly title: string;
  readonly command: string;
  readonly cursor: string;
  readonly size: string;
  readonly programStatus?: string;
  readonly inMode?: boolean;
  readonly dead?: boolean;
}

const folder = new URL('./golden/', import.meta.url);

for (const harness of readdirSync(folder)) {
  describe(`golden screens of ${harness}`, () => {
    for (const name of readdirSync(new URL(`${harness}/`, folder))) {
      it(name, () => {
        const at = new URL(`${harness}/${name}/`, folder);
        const { state, reason, inMode, dead, ...facts } = JSON.parse(
          readFileSync(new URL('expected.json', at), 'utf8'),
        ) as Expected;
        const rows = readFileSync(new URL('screen.txt', at), 'utf8').split('\n');
        const capture = { ...captureOf(rows, facts), inMode: inMode ?? false, dead: dead ?? false };
        const reading = read(screensOf(harness), capture);
        expect({ state: reading.state, reason: reading.reason }, reading.rule).to.deep.equal({ state, reason });
      });
    }
  });
}
