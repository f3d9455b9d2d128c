import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { takeOwnerLock } from '#service/owner-lock.ts';
import { prepareStateFolder } from '#service/state-folder.ts';
import { installItself, installService } from '#service/unit/install-service.ts';
import { ownDefinition } from '#service/unit/own-definition.ts';
import { requireServiceManager } from '#service/unit/service-manager.ts';
import { runJoin } from './join-command.ts';
import { readJoined, whyEnded } from './joined-state.ts';

/**
 * `muster join ADDRESS --service`: joins, and installs this machine's host as a service of the user. Without an address, it installs
 * the service of a machine that has joined before.
 * @throws as `runJoin` and `installService`; ALREADY_RUNNING when muster runs on the state folder
 */
export async function joinAsService(args: readonly string[], config: Config): Promise<void> {
  await requireServiceManager(installItself);
  const before = readJoined(config.home);
  if (before === undefined || args.length > 0) await runJoin(args, config);
  const joined = readJoined(config.home);
  const ended = whyEnded(config.home);
  if (ended !== undefined) throw ended;
  if (joined === undefined) throw new Failure('INTERNAL', `${config.home} has not joined`);
  takeOwnerLock(prepareStateFolder(config.home), 'start').release();
  const { text } = await installService(ownDefinition(config, joined, process.env), config.home);
  process.stdout.write(`This machine runs as host ${joined.name} of ${joined.url}.\n${text}`);
}
