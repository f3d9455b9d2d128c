import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { installInto, publishedVersion } from '#world/program/npm.ts';
import { clearLeftovers, type ProgramFolders } from './program-folders.ts';
import { factsOf, type ReleaseFacts } from './release-facts.ts';
import { compareVersions, isVersion } from './version-order.ts';

/** The name of the package. */
export const packageName = '@muster-fleet/muster';

/** What an upgrade leads to: a version of the npm registry, or a package in a file. */
export type UpgradeTarget = { readonly version: string } | { readonly file: string };

/**
 * Reads the target of `--to`; without it, the newest version of the npm registry.
 * @throws INVALID_USAGE when it is neither a version nor a file; UPGRADE_NOT_POSSIBLE when the npm registry does not have it
 */
export async function findTarget(to: string | undefined, prefix: string): Promise<UpgradeTarget> {
  if (to !== undefined && !isVersion(to)) {
    const file = resolve(to);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) return { file };
    throw new Failure(
      'INVALID_USAGE',
      `--to is ${JSON.stringify(to)}: give a version, such as 0.2.0, or an existing file`,
      {
        field: 'to',
      },
    );
  }
  const found = await publishedVersion(packageName, to ?? 'latest', prefix);
  if ('printed' in found && isVersion(found.printed)) return { version: found.printed };
  const why = 'fault' in found ? `: ${found.fault}` : '';
  throw new Failure(
    'UPGRADE_NOT_POSSIBLE',
    `Nothing was changed: the npm registry does not give ${packageName}@${to ?? 'latest'}${why}\nTo upgrade from a file: muster upgrade --to FILE`,
  );
}

/** Refuses an older version, with what to do. @throws DOWNGRADE_REFUSED */
export function requireNotOlder(wanted: string, own: string, backups: string): void {
  if (compareVersions(wanted, own) >= 0) return;
  throw new Failure(
    'DOWNGRADE_REFUSED',
    `Nothing was changed: ${wanted} is older than muster ${own}, and an older version may not read what a newer one wrote. To go ` +
      `back anyway: stop muster, run \`npm install --global ${packageName}@${wanted}\`, and restore a backup that ${wanted} ` +
      `made into another state folder, with \`MUSTER_HOME=FOLDER muster restore FILE\`. Backups of earlier upgrades are in ${backups}.`,
  );
}

/**
 * Installs the target beside the current program, and asks it for its facts. If it cannot be used, nothing remains of it.
 * @throws UPGRADE_NOT_POSSIBLE when npm does not install it, when it is not muster, or when it does not run here
 */
export async function stageTarget(target: UpgradeTarget, folders: ProgramFolders): Promise<ReleaseFacts> {
  clearLeftovers(folders);
  try {
    const spec = 'file' in target ? target.file : `${packageName}@${target.version}`;
    const isOptional = existsSync(join(folders.current, 'node_modules', 'node-pty'));
    const installed = await installInto(folders.stage, spec, { prefix: folders.prefix, isOptional });
    if ('fault' in installed) throw refused(`npm does not install ${spec}: ${installed.fault}`);
    const made = join(folders.stage, 'lib', 'node_modules', packageName);
    if (nameIn(made) !== packageName) throw refused(`${spec} is not ${packageName}`);
    renameSync(made, folders.next);
    return await factsOf(folders.next);
  } catch (error) {
    clearLeftovers(folders);
    throw error;
  }
}

function nameIn(folder: string): unknown {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }).name : undefined;
}

function refused(why: string): Failure {
  return new Failure('UPGRADE_NOT_POSSIBLE', `Nothing was changed: ${why}`);
}
