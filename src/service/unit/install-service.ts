import { existsSync, mkdirSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { readPrivateFile, removePrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { askServiceManager } from '#world/process/service-manager.ts';
import { launchdPlist } from './launchd-plist.ts';
import type { ServiceDefinition } from './service-definition.ts';
import { systemdUnit } from './systemd-unit.ts';

/** How a system runs services of a user. */
interface Manager {
  /** A command that fails if the manager does not run for this user. */
  readonly trial: readonly [program: string, ...args: string[]];
  /** The file that defines a service, and its text. */
  fileOf(name: string): string;
  textOf(definition: ServiceDefinition, file: string): string;
  /** The commands that start a service now and at each start of the machine, and those that undo it. */
  startOf(name: string, file: string): readonly (readonly [program: string, ...args: string[]])[];
  undoOf(name: string, file: string): string;
  logOf(name: string): string;
  /** The remaining steps for a person so that it runs unattended; empty if there are none. */
  lastWord(): Promise<string>;
}

/** A service that was installed, in words for a person. */
export interface InstalledService {
  readonly name: string;
  readonly text: string;
}

const systemd: Manager = {
  trial: ['systemctl', '--user', 'show-environment'],
  fileOf: (name) =>
    join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'systemd', 'user', `${name}.service`),
  textOf: systemdUnit,
  startOf: (name) => [
    ['systemctl', '--user', 'daemon-reload'],
    ['systemctl', '--user', 'enable', '--now', `${name}.service`],
  ],
  undoOf: (name, file) => `systemctl --user disable --now ${name}.service && rm ${file}`,
  logOf: (name) => `journalctl --user -u ${name}`,
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

const launchd: Manager = {
  trial: ['launchctl', 'print', `gui/${process.getuid?.() ?? 0}`],
  fileOf: (name) => join(homedir(), 'Library', 'LaunchAgents', `${name}.plist`),
  textOf: (definition) => launchdPlist(definition, outputFileOf(definition.name)),
  startOf: (_name, file) => [['launchctl', 'bootstrap', `gui/${process.getuid?.() ?? 0}`, file]],
  undoOf: (name, file) => `launchctl bootout gui/${process.getuid?.() ?? 0}/${name} && rm ${file}`,
  logOf: (name) => `tail ${outputFileOf(name)}`,
  lastWord: async () => 'It runs while you are logged in.',
};

const outputFileOf = (name: string) => join(homedir(), 'Library', 'Logs', `${name}.log`);

/** The manager of this system. @throws SERVICE_MANAGER_MISSING when this system has none that muster knows */
function ownManager(): Manager {
  if (process.platform === 'linux') return systemd;
  if (process.platform === 'darwin') return launchd;
  throw missing(`this system (${process.platform}) has neither systemd nor launchd`);
}

/** @throws SERVICE_MANAGER_MISSING when no service manager runs for this user */
export async function requireServiceManager(): Promise<void> {
  const [program, ...args] = ownManager().trial;
  const asked = await askServiceManager(program, args);
  if ('fault' in asked) throw missing(asked.fault);
}

/**
 * Defines a service for this user, and starts it, now and whenever the user's services start.
 * @throws SERVICE_MANAGER_MISSING as `requireServiceManager`; SERVICE_NOT_INSTALLED when another service has the name,
 * or the   manager refuses it: then nothing of it stays
 */
export async function installService(definition: ServiceDefinition): Promise<InstalledService> {
  await requireServiceManager();
  const { name } = definition;
  const manager = ownManager();
  const file = manager.fileOf(name);
  const text = manager.textOf(definition, file);
  if (existsSync(file) && readPrivateFile(file) !== text) {
    throw notInstalled(`${file} exists and differs: remove it first, with \`${manager.undoOf(name, file)}\``);
  }
  mkdirSync(dirname(file), { recursive: true });
  writePrivateFile(file, text);
  for (const [program, ...args] of manager.startOf(name, file)) {
    const asked = await askServiceManager(program, args);
    if (!('fault' in asked)) continue;
    removePrivateFile(file);
    throw notInstalled(`${[program, ...args].join(' ')}: ${asked.fault}`);
  }
  const lines = [
    `It runs as the service ${name} (${file}). \`${manager.logOf(name)}\` shows its output.`,
    `To end that: ${manager.undoOf(name, file)}`,
    await manager.lastWord(),
  ];
  return { name, text: `${lines.filter((line) => line !== '').join('\n')}\n` };
}

const byHand = 'Without --service, muster runs in this terminal.';

function missing(why: string): Failure {
  return new Failure(
    'SERVICE_MANAGER_MISSING',
    `muster cannot install itself as a service of yours: ${why}. Log in to this machine as the user who runs the agents, not by ` +
      `su or sudo. ${byHand}`,
  );
}

function notInstalled(why: string): Failure {
  return new Failure('SERVICE_NOT_INSTALLED', `The service was not installed: ${why}. ${byHand}`);
}
