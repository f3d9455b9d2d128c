import { delimiter } from 'node:path';
import type { Config } from '#contract/process-context.ts';
import type { JoinRecord } from '#service/join/joined-state.ts';
import { musterProgram } from '#service/state-folder.ts';
import { agentEnvironment, withoutNpm } from '#world/process/environment.ts';
import { ownFolder } from '#world/process/own-programs.ts';
import type { ServiceDefinition } from './service-definition.ts';
import { serviceName } from './service-name.ts';

/** Variables that a service manager sets itself, or that end with the login session. */
const ofSession =
  /^(?:HOME|SHELL|USER|LOGNAME|TERM|COLORTERM|TMPDIR|SSH_AUTH_SOCK|XDG_(?!STATE_|CONFIG_|CACHE_|DATA_)\w+)$/;

/** What a service of a state folder depends on. */
type Own = Pick<Config, 'home' | 'agentVariables'>;
/** The host as which its machine joined another installation; undefined if it did not. */
type Host = Pick<JoinRecord, 'name' | 'url'> | undefined;

/** The service of a state folder: as a start in this terminal would run. */
export function ownDefinition(
  { home, agentVariables }: Own,
  joined: Host,
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
    name: serviceName(home, joined, environment),
    description: joined === undefined ? `muster: ${home}` : `muster: host ${joined.name} of ${joined.url}`,
    argv: [musterProgram, 'start'],
    environment: { ...Object.fromEntries([...kept, ...own]), PATH: path, MUSTER_HOME: home },
  };
}
