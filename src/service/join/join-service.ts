import { delimiter } from 'node:path';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { takeOwnerLock } from '#service/owner-lock.ts';
import { musterProgram, prepareStateFolder } from '#service/state-folder.ts';
import { installService, requireServiceManager } from '#service/unit/install-service.ts';
import type { ServiceDefinition } from '#service/unit/service-definition.ts';
import { agentEnvironment, withoutNpm } from '#world/process/environment.ts';
import { ownFolder } from '#world/process/own-programs.ts';
import { runJoin } from './join-command.ts';
import { type JoinRecord, readJoined, whyEnded } from './joined-state.ts';

/** Variables that a service manager sets itself, or that end with the login session. */
const ofSession =
  /^(?:HOME|SHELL|USER|LOGNAME|TERM|COLORTERM|TMPDIR|SSH_AUTH_SOCK|XDG_(?!STATE_|CONFIG_|CACHE_|DATA_)\w+)$/;

/**
 * `muster join ADDRESS --service`: joins, and installs this machine's host as a service of the user. Without an address, it installs
 * the service of a machine that has joined before.
 * @throws as `runJoin` and `installService`; ALREADY_RUNNING when muster runs on the state folder
 */
export async function joinAsService(args: readonly string[], config: Config): Promise<void> {
  await requireServiceManager();
  const before = readJoined(config.home);
  if (before === undefined || args.length > 0) await runJoin(args, config);
  const joined = readJoined(config.home);
  const ended = whyEnded(config.home);
  if (ended !== undefined) throw ended;
  if (joined === undefined) throw new Failure('INTERNAL', `${config.home} has not joined`);
  takeOwnerLock(prepareStateFolder(config.home), 'start').release();
  const { text } = await installService(definitionOf(joined, config, process.env));
  process.stdout.write(`This machine runs as host ${joined.name} of ${joined.url}.\n${text}`);
}

/** The service of a machine that has joined: as a start in this terminal would run. */
export function definitionOf(
  { name, url }: Pick<JoinRecord, 'name' | 'url'>,
  { home, agentVariables }: Pick<Config, 'home' | 'agentVariables'>,
  environment: NodeJS.ProcessEnv,
): ServiceDefinition {
  const set = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const person = Object.fromEntries(set);
  const kept = Object.entries(agentEnvironment(person, agentVariables)).filter(
    ([variable]) => !ofSession.test(variable),
  );
  const own = set.filter(([variable]) => variable.startsWith('MUSTER_'));
  const path = withoutNpm((person['PATH'] ?? '').split(delimiter), ownFolder).join(delimiter);
  return {
    name: `muster-${name.replace(/[^A-Za-z0-9_-]+/g, '-')}`,
    description: `muster: host ${name} of ${url}`,
    argv: [musterProgram, 'start'],
    environment: { ...Object.fromEntries([...kept, ...own]), PATH: path, MUSTER_HOME: home },
  };
}
