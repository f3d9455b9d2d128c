import { homedir } from 'node:os';
import { join } from 'node:path';
import { readRegularFile } from '#world/file/regular-file.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';

/** The git configuration files of the person who runs muster, in ascending precedence. */
export function personalConfig(): Promise<ConfigFile[]> {
  return Promise.all([join(configHome(), 'git/config'), join(homedir(), '.gitconfig')].map(readConfigFile));
}

/** The person's own ignore list for all repositories: the text of `core.excludesFile`, or of its default. */
export async function personalExcludes(): Promise<string> {
  const files = await personalConfig();
  const named = (await Promise.all(files.map((file) => file.values('core.excludesfile')))).flat().at(-1);
  const path = named?.replace(/^~(?=\/)/, homedir()) ?? join(configHome(), 'git/ignore');
  const file = await readRegularFile(path, { maxBytes: 1024 * 1024, followLinks: true });
  return file?.content.toString('utf8') ?? '';
}

function configHome(): string {
  return process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
}
