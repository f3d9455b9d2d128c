import { expect } from 'chai';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';
import { captureOf } from '#test/pane/screen-corpus.ts';
import { cast } from './cast.ts';
import { screenOf } from './scenes.ts';

describe('the screens in the pictures', () => {
  for (const [name, { harness, scene, repository }] of Object.entries(cast)) {
    it(`of ${name} are ${harness} screens that are read as ${scene.state}, without the recording’s words`, () => {
      const { rows, cursor, title = '' } = screenOf(scene, `/home/ada/${repository}`);
      const place = { size: '200x50', cursor: `${cursor.column},${cursor.row}`, title, command: 'node' };
      const { state } = read(screensOf(builtIn, harness), captureOf(rows, place));
      expect(scene.screen.split('/')[0]).to.equal(harness);
      expect(state).to.equal(`AGENT_STATE_${scene.state}`);
      expect(rows.join('\n')).not.to.match(/\blab\b|fleet-demo/);
    });
  }
});
