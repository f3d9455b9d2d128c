import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { publishedVersion } from '#world/program/npm.ts';

/** What npm 11 prints on its stream of errors. */
const prints = {
  'Not Found - GET https://registry.npmjs.org/a\nThe requested resource could not be found.': [
    'npm notice New major version of npm available!',
    'npm error code E404',
    'npm error 404 Not Found - GET https://registry.npmjs.org/a',
    'npm error 404',
    'npm error 404  The requested resource could not be found.',
    'npm error 404',
    'npm error 404 Note that you can also install from a',
    'npm error A complete log of this run can be found in: /root/.npm/_logs/1.log',
    'npm notice',
  ],
  'FetchError: request to http://127.0.0.1:9/a failed, reason: connect ECONNREFUSED': [
    'npm error code ECONNREFUSED',
    'npm error syscall connect',
    'npm error errno ECONNREFUSED',
    'npm error FetchError: request to http://127.0.0.1:9/a failed, reason: connect ECONNREFUSED',
    'npm error     at ClientRequest.<anonymous> (index.js:130:14)',
  ],
  'Error: EACCES: permission denied, mkdir': [
    'npm error code EACCES',
    'npm error errno: -13,',
    'npm error Error: EACCES: permission denied, mkdir',
    'npm error   errno: -13,',
    'npm error }',
  ],
  'gyp ERR! find Python\ngyp ERR! find Python Python is not set from command line or npm configuration': [
    'npm error code 1',
    'npm error path /usr/lib/node_modules/a',
    'npm error command failed',
    'npm error prebuild-install warn install No prebuilt binaries found',
    'npm error gyp info it worked if it ends with ok',
    'npm error gyp ERR! find Python',
    'npm error gyp ERR! find Python Python is not set from command line or npm configuration',
    'npm error gyp ERR! node -v v24.21.0',
  ],
};

describe('npm', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('npm');
  });
  afterEach(() => folder.remove());

  for (const [fault, lines] of Object.entries(prints)) {
    it(`fails in its own words: ${fault.split(' ')[0]}`, async () => {
      const program = join(folder.path, 'bin', 'npm');
      mkdirSync(join(folder.path, 'bin'));
      writeFileSync(program, `#!/bin/sh\ncat >&2 <<'END'\n${lines.join('\n')}\nEND\nexit 1\n`);
      chmodSync(program, 0o755);
      expect(await publishedVersion('a', 'latest', folder.path)).to.deep.equal({ fault });
    });
  }
});
