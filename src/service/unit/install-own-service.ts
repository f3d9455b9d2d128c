import { Failure } from '#contract/failure.ts';
import { readConfig } from '#service/config.ts';
import { readJoined, whyEnded } from '#service/join/joined-state.ts';
import { takeOwnerLock } from '#service/owner-lock.ts';
import { prepareStateFolder } from '#service/state-folder.ts';
import { ownInstallKind } from '#service/upgrade/install-kind.ts';
import { ownFolder } from '#world/process/own-programs.ts';
import { hasService, installItself, installService } from './install-service.ts';
import { ownDefinition } from './own-definition.ts';
import { requireServiceManager } from './service-manager.ts';

/**
 * Installs the service of this terminal's state folder, with this terminal's settings. Returns what a person should know.
 * @throws INVALID_SETTING when a setting is wrong; HOST_REMOVED when the machine has left what it joined; SERVICE_NOT_INSTALLED
 *   when npx may remove this copy of muster; and as `takeOwnerLock` and `installService`
 */
export async function installOwnService(): Promise<string> {
  const config = readConfig(process.env);
  await requireServiceManager(installItself);
  const ended = whyEnded(config.home);
  if (ended !== undefined) throw ended;
  if (ownInstallKind(ownFolder).kind === 'npx') {
    throw new Failure(
      'SERVICE_NOT_INSTALLED',
      'The service was not installed: npx may remove its copy of muster at any time. Install muster first, with ' +
        '`npm install --global @muster-fleet/muster`.',
    );
  }
  const folder = prepareStateFolder(config.home);
  const definition = ownDefinition(config, readJoined(config.home), process.env);
  if (!hasService(definition.name, config.home)) takeOwnerLock(folder, 'start').release();
  const { text } = await installService(definition, config.home);
  return text;
}
