import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { oldestNode } from '../../../bin/oldest-node.mjs';
import { olderNode } from './older-node.ts';

const muster = fileURLToPath(new URL('../../../bin/muster.mjs', import.meta.url));

describe('muster on an older Node', () => {
  it('prints in one sentence what it needs and how to get it', async function () {
    const older = await olderNode();
    if (older === undefined) {
      if (this.test) this.test.title += ` (skipped: no Node of the PATH is older than ${oldestNode})`;
      this.skip();
    }
    const { status, stdout, stderr } = spawnSync(older.file, [muster, '--version'], { env: {}, encoding: 'utf8' });
    expect({ status, stdout, stderr }).to.deep.equal({
      status: 1,
      stdout: '',
      stderr:
        `muster needs Node ${oldestNode} or newer, and this is ${older.version}: run \`npm start\` in muster's folder, ` +
        'which installs one, then bin/muster in place of bin/muster.mjs.\n',
    });
  });
});
