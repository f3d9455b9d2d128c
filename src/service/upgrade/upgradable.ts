import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { ownInstallKind } from './install-kind.ts';
import { type ProgramFolders, programFolders } from './program-folders.ts';

/**
 * The folders of an upgrade of the copy of muster in a folder.
 * @throws UPGRADE_NOT_POSSIBLE when npm has not installed it for this user, saying how it is upgraded instead
 */
export function requireUpgradable(folder: string): ProgramFolders {
  const root = folder.replace(/\/+$/, '');
  const installed = ownInstallKind(root);
  switch (installed.kind) {
    case 'clone':
      throw refused(
        `it is a clone. Back up (muster backup FILE), run \`git -C ${root} pull\`, and start muster again: ${restart}`,
      );
    case 'npx':
      throw refused(
        'npx runs it, and takes the newest one by itself: `npx @muster-fleet/muster@latest`. Back up first (muster backup ' +
          `FILE), then start muster again: ${restart}`,
      );
    case 'other':
      throw refused(
        `something else than npm put it into ${root}, such as an image or a package of your system: update it with that. Back ` +
          `up first (muster backup FILE), then start muster again: ${restart}`,
      );
    case 'global':
      requireWritable(root, installed.prefix);
      return programFolders(root, installed.prefix);
  }
}

const restart = 'windows of agents stay open meanwhile';

function requireWritable(root: string, prefix: string): void {
  for (const folder of [dirname(root), join(prefix, 'bin')]) {
    try {
      accessSync(folder, constants.W_OK);
    } catch {
      throw refused(
        `${folder} belongs to another user. Back up (muster backup FILE), have its owner run \`npm install --global ` +
          `@muster-fleet/muster@VERSION\`, such as with sudo, and start muster again: ${restart}`,
      );
    }
  }
}

function refused(why: string): Failure {
  return new Failure('UPGRADE_NOT_POSSIBLE', `muster upgrade does not upgrade this copy: ${why}.`);
}
