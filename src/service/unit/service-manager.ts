import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { askServiceManager } from '#world/process/service-manager.ts';
import { environmentEntry, launchdPlist } from './launchd-plist.ts';
import type { ServiceDefinition } from './service-definition.ts';
import { environmentLine, systemdUnit } from './systemd-unit.ts';

/** A command line of the manager. */
type Command = readonly [program: string, ...args: string[]];

/** How a system runs services of a user. */
export interface ServiceManager {
  readonly name: 'systemd' | 'launchd';
  /** A command that fails if the manager does not run for this user. */
  readonly trial: Command;
  /** The file that defines a service, and its text. */
  fileOf(name: string): string;
  textOf(definition: ServiceDefinition): string;
  /** The line of such a file that names the state folder. */
  homeLineOf(home: string): string;
  /** The commands that start a service now and at each start of the machine. */
  startOf(name: string, file: string): readonly Command[];
  /** The commands that make a running service follow its changed file. */
  renewOf(name: string, file: string): readonly Command[];
  /** The commands that end a service for ever; `after` run once its file is removed. */
  endOf(name: string): { readonly before: readonly Command[]; readonly after: readonly Command[] };
  /** How a person ends it without muster. */
  undoOf(name: string, file: string): string;
  /** The command that prints the newest lines of a service's output, and with `follow` those that come. */
  logOf(name: string, lines: number, follow: boolean): Command;
  /** The command that prints whether a service runs, and what it means. */
  readonly state: { argvOf(name: string): Command; read(printed: string): ServiceState };
  /** The remaining steps for a person so that it runs unattended; empty if there are none. */
  lastWord(): Promise<string>;
}

/** Whether a service runs. */
export interface ServiceState {
  readonly isRunning: boolean;
  /** In the manager's own words, such as `active (running)`. */
  readonly words: string;
  /** Its process; undefined if it does not run. */
  readonly pid: number | undefined;
}

const systemd: ServiceManager = {
  name: 'systemd',
  trial: ['systemctl', '--user', 'show-environment'],
  fileOf: (name) =>
    join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'systemd', 'user', `${name}.service`),
  textOf: systemdUnit,
  homeLineOf: (home) => environmentLine('MUSTER_HOME', home),
  startOf: (name) => [reload, ['systemctl', '--user', 'enable', '--now', `${name}.service`]],
  renewOf: (name) => [reload, ['systemctl', '--user', 'restart', `${name}.service`]],
  endOf: (name) => ({ before: [['systemctl', '--user', 'disable', '--now', `${name}.service`]], after: [reload] }),
  undoOf: (name, file) => `systemctl --user disable --now ${name}.service && rm ${file}`,
  logOf: (name, lines, follow) => [
    'journalctl',
    '--user',
    `--unit=${name}.service`,
    '--no-pager',
    `--lines=${lines}`,
    ...(follow ? ['--follow'] : []),
  ],
  state: {
    argvOf: (name) => ['systemctl', '--user', 'show', `${name}.service`, '--property=ActiveState,SubState,MainPID'],
    read(printed) {
      const values = Object.fromEntries(printed.split('\n').map((line) => line.split('=')));
      const {
        ActiveState: active = 'unknown',
        SubState: detail = '',
        MainPID: pid = '0',
      } = values as Record<string, string>;
      return { isRunning: active === 'active', words: `${active} (${detail})`, pid: Number(pid) || undefined };
    },
  },
  async lastWord() {
    const { username } = userInfo();
    const asked = await askServiceManager('loginctl', ['show-user', username, '--property=Linger', '--value']);
    if ('printed' in asked && asked.printed === 'yes') return '';
    return (
      `It ends with your last login session, and agents with it. So that it runs without you: ` +
      `sudo loginctl enable-linger ${username}`
    );
  },
};

const reload: Command = ['systemctl', '--user', 'daemon-reload'];

const launchd: ServiceManager = {
  name: 'launchd',
  trial: ['launchctl', 'print', launchdDomain()],
  fileOf: (name) => join(homedir(), 'Library', 'LaunchAgents', `${name}.plist`),
  textOf: (definition) => launchdPlist(definition, outputFileOf(definition.name)),
  homeLineOf: (home) => environmentEntry('MUSTER_HOME', home),
  startOf: (_name, file) => [['launchctl', 'bootstrap', launchdDomain(), file]],
  renewOf: (name, file) => [
    ['launchctl', 'bootout', `${launchdDomain()}/${name}`],
    ['launchctl', 'bootstrap', launchdDomain(), file],
  ],
  endOf: (name) => ({ before: [['launchctl', 'bootout', `${launchdDomain()}/${name}`]], after: [] }),
  undoOf: (name, file) => `launchctl bootout ${launchdDomain()}/${name} && rm ${file}`,
  logOf: (name, lines, follow) => ['tail', '-n', String(lines), ...(follow ? ['-F'] : []), outputFileOf(name)],
  state: {
    argvOf: (name) => ['launchctl', 'print', `${launchdDomain()}/${name}`],
    read(printed) {
      const [, words = 'unknown'] = /^\s*state = (.+)$/m.exec(printed) ?? [];
      const [, pid] = /^\s*pid = (\d+)$/m.exec(printed) ?? [];
      return { isRunning: words === 'running', words, pid: pid === undefined ? undefined : Number(pid) };
    },
  },
  lastWord: async () => 'It runs while you are logged in.',
};

function launchdDomain(): string {
  return `gui/${process.getuid?.() ?? 0}`;
}

function outputFileOf(name: string): string {
  return join(homedir(), 'Library', 'Logs', `${name}.log`);
}

/** The manager of this system. @throws SERVICE_MANAGER_MISSING when this system has none that muster knows */
export function ownServiceManager(): ServiceManager {
  if (process.platform === 'linux') return systemd;
  if (process.platform === 'darwin') return launchd;
  throw missing(`this system (${process.platform}) has neither systemd nor launchd`);
}

/**
 * @param cannot what muster cannot do without a service manager
 * @throws SERVICE_MANAGER_MISSING when none runs for this user
 */
export async function requireServiceManager(cannot: string): Promise<ServiceManager> {
  const manager = ownServiceManager();
  const [program, ...args] = manager.trial;
  const asked = await askServiceManager(program, args);
  if ('fault' in asked) throw missing(asked.fault, cannot);
  return manager;
}

/** What a person can do instead. */
export const byHand = 'Without a service, `muster start` runs in a terminal.';

function missing(why: string, cannot = 'run as a user service'): Failure {
  return new Failure(
    'SERVICE_MANAGER_MISSING',
    `muster cannot ${cannot}: ${why}. Log in to this machine as the user who runs the agents, not by ` +
      `su or sudo. ${byHand}`,
  );
}
