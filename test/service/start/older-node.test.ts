import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { isAtLeast, versionOf } from '#world/requirements.mjs';
import { oldestNode } from '../../../bin/oldest-node.mjs';

const muster = fileURLToPath(new URL('../../../bin/muster.mjs', import.meta.url));

/** The first Node of the PATH that is older than muster needs, with its version. */
async function olderNode(): Promise<{ readonly file: string; readonly version: string } | undefined> {
  const files = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  for (const file of files.filter((one) => existsSync(one))) {
    const version = await versionOf(file, ['--version']);
    if (version !== undefined && !isAtLeast(version, oldestNode)) return { file, version };
  }
  return undefined;
}

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
