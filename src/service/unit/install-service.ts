import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { readPrivateFile, removePrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { askServiceManager } from '#world/process/service-manager.ts';
import type { ServiceDefinition } from './service-definition.ts';
import {
  byHand,
  ownServiceManager,
  requireServiceManager,
  type ServiceManager,
  type ServiceState,
} from './service-manager.ts';

/** A service that was installed, in words for a person. */
export interface InstalledService {
  readonly name: string;
  readonly text: string;
}

/** What is known of a service. */
export interface KnownService {
  /** The file that defines it; undefined if it is not installed. */
  readonly file: string | undefined;
  readonly state: ServiceState | undefined;
  /** The remaining steps for a person so that it runs unattended; empty if there are none. */
  readonly lastWord: string;
}

/** What needs a service manager first. */
export const installItself = 'install itself as a user service';

/** Whether a service of that name is installed for this state folder. */
export function hasService(name: string, home: string): boolean {
  const text = readPrivateFile(ownServiceManager().fileOf(name));
  return text?.includes(ownServiceManager().homeLineOf(home)) ?? false;
}

/** What the manager says of the service of a state folder. @throws SERVICE_MANAGER_MISSING as `requireServiceManager` */
export async function readService(name: string, home: string): Promise<KnownService> {
  const manager = ownServiceManager();
  const file = manager.fileOf(name);
  if (!hasService(name, home)) return { file: undefined, state: undefined, lastWord: '' };
  const [program, ...args] = manager.state.argvOf(name);
  const [asked, lastWord] = await Promise.all([askServiceManager(program, args), manager.lastWord()]);
  if ('printed' in asked) return { file, state: manager.state.read(asked.printed), lastWord };
  await requireServiceManager(`say whether its service ${name} runs, which is installed (${file})`);
  return { file, state: undefined, lastWord };
}

/**
 * Defines a service for this user, and starts it, now and whenever the user's services start. One of the same state folder takes
 * the new definition, and is restarted if that differs.
 * @throws SERVICE_MANAGER_MISSING as `requireServiceManager`; SERVICE_NOT_INSTALLED when another service has the name, or the
 *   manager refuses it: then the file is as it was
 */
export async function installService(definition: ServiceDefinition, home: string): Promise<InstalledService> {
  const manager = await requireServiceManager(installItself);
  const { name } = definition;
  const file = manager.fileOf(name);
  const text = manager.textOf(definition);
  const before = existsSync(file) ? readPrivateFile(file) : undefined;
  if (before !== undefined && !before.includes(manager.homeLineOf(home))) {
    throw notInstalled(`${file} is of another state folder: remove it first, with \`${manager.undoOf(name, file)}\``);
  }
  mkdirSync(dirname(file), { recursive: true });
  writePrivateFile(file, text);
  const isChanged = before !== undefined && before !== text;
  const commands = isChanged ? manager.renewOf(name, file) : manager.startOf(name, file);
  const fault = await faultOf(commands);
  if (fault !== undefined) {
    if (before === undefined) removePrivateFile(file);
    else writePrivateFile(file, before);
    throw notInstalled(fault);
  }
  return { name, text: await installedText(manager, name, file) };
}

async function installedText(manager: ServiceManager, name: string, file: string): Promise<string> {
  const log = manager.logOf(name, 100, false).join(' ');
  const lines = [
    `It runs as the service ${name} (${file}). \`muster service logs\` shows its output (${log}).`,
    'A stop or an upgrade leaves the windows of agents open.',
    `To end that: muster service uninstall (or ${manager.undoOf(name, file)})`,
    await manager.lastWord(),
  ];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

/**
 * Ends a service for ever, and removes its file.
 * @throws SERVICE_MANAGER_MISSING as `requireServiceManager`; SERVICE_NOT_INSTALLED when there is none of this state folder, or the
 *   manager refuses: then the file stays
 */
export async function uninstallService(name: string, home: string): Promise<string> {
  const file = ownServiceManager().fileOf(name);
  if (!hasService(name, home)) throw noService(name, file, home);
  const manager = await requireServiceManager(`uninstall its service ${name} (${file})`);
  const { before, after } = manager.endOf(name);
  const fault = await faultOf(before);
  if (fault !== undefined) throw new Failure('SERVICE_NOT_INSTALLED', `The service ${name} was not removed: ${fault}`);
  removePrivateFile(file);
  await faultOf(after);
  return file;
}

/** There is no service of that name for this state folder. */
export function noService(name: string, file: string, home: string): Failure {
  return new Failure(
    'SERVICE_NOT_INSTALLED',
    `muster is not installed as a user service for the state folder ${home}: there is no ${file}. \`muster service install\` makes ${name}.`,
  );
}

/** What the first command that fails reports; undefined if none does. */
async function faultOf(
  commands: readonly (readonly [program: string, ...args: string[]])[],
): Promise<string | undefined> {
  for (const [program, ...args] of commands) {
    const asked = await askServiceManager(program, args);
    if ('fault' in asked) return `${[program, ...args].join(' ')}: ${asked.fault}`;
  }
  return undefined;
}

function notInstalled(why: string): Failure {
  return new Failure('SERVICE_NOT_INSTALLED', `The service was not installed: ${why}. ${byHand}`);
}
