import { homedir } from 'node:os';
import { join } from 'node:path';
import { readRegularFile } from '#world/file/regular-file.ts';
import { type ConfigFile, readConfigFile } from '#world/git/repository/config-file.ts';
import { personalConfig } from '#world/git/repository/personal-config.ts';
import { parseRemote, remoteWebUrl } from './remote-url.ts';

/**
 * The canonical web address of the repository that `origin` pushes to, by git's rules: the push URL first, after the
 * person's and the repository's rewrites (`url.….insteadOf`), with ssh aliases translated. Undefined without an origin,
 * or if it is not on a forge.
 */
export async function pushWebUrl(configPath: string): Promise<string | undefined> {
  const own = await readConfigFile(configPath);
  const [pushUrl] = await own.values('remote.origin.pushurl');
  const url = pushUrl ?? (await own.values('remote.origin.url'))[0];
  if (url === undefined) return undefined;
  const files = [...(await personalConfig()), own];
  const pushed = pushUrl === undefined ? await rewritten(url, files, 'pushinsteadof') : undefined;
  return webUrlIn(pushed ?? (await rewritten(url, files, 'insteadof')) ?? url, await sshAliases());
}

/** How many remotes of a repository are read. */
const maxRemotes = 50;

/**
 * The canonical web addresses of all repositories that a repository's remotes fetch from and push to, each once.
 * @param commonDir the git directory that its worktrees share
 */
export async function remoteWebUrls(commonDir: string): Promise<string[]> {
  const own = await readConfigFile(join(commonDir, 'config'));
  const files = [...(await personalConfig()), own];
  const aliases = await sshAliases();
  const found = new Set<string>();
  for (const name of own.subsections('remote').slice(0, maxRemotes)) {
    const [urls, pushUrls] = await Promise.all([
      own.values(`remote.${name}.url`),
      own.values(`remote.${name}.pushurl`),
    ]);
    const pushed =
      pushUrls.length > 0 ? [] : await Promise.all(urls.map((url) => rewritten(url, files, 'pushinsteadof')));
    const asWritten = await Promise.all(
      [...urls, ...pushUrls].map(async (url) => (await rewritten(url, files, 'insteadof')) ?? url),
    );
    for (const url of [...asWritten, ...pushed]) {
      const webUrl = url === undefined ? undefined : webUrlIn(url, aliases);
      if (webUrl !== undefined) found.add(webUrl);
    }
  }
  return [...found].slice(0, maxRemotes);
}

function webUrlIn(url: string, aliases: (alias: string) => string | undefined): string | undefined {
  const remote = parseRemote(url, (host) => aliases(host) ?? host);
  return remote === undefined ? undefined : remoteWebUrl(remote);
}

/** The URL with its longest matching prefix replaced; undefined if none matches. */
async function rewritten(
  url: string,
  files: readonly ConfigFile[],
  key: 'insteadof' | 'pushinsteadof',
): Promise<string | undefined> {
  let best = { prefix: '', base: '' };
  for (const file of files) {
    for (const base of file.subsections('url')) {
      for (const prefix of await file.values(`url.${base}.${key}`)) {
        if (url.startsWith(prefix) && prefix.length > best.prefix.length) best = { prefix, base };
      }
    }
  }
  return best.prefix === '' ? undefined : best.base + url.slice(best.prefix.length);
}

/**
 * Reads the hosts of aliases from `~/.ssh/config`. Only `Host` blocks are read, because `Match` may run a command; ssh
 * itself is never run.
 */
async function sshAliases(): Promise<(alias: string) => string | undefined> {
  const file = await readRegularFile(join(homedir(), '.ssh/config'), { maxBytes: 1024 * 1024, followLinks: true });
  const lines = (file?.content.toString('utf8') ?? '').split('\n');
  return (alias) => {
    let applies = true;
    for (const line of lines) {
      const [, keyword = '', value = ''] =
        /^\s*([A-Za-z]+)(?:\s*=\s*|\s+)(.*?)\s*$/.exec(line.replaceAll('"', '')) ?? [];
      if (/^host$/i.test(keyword)) applies = matches(alias, value.split(/\s+/));
      else if (/^match$/i.test(keyword)) applies = false;
      else if (applies && /^hostname$/i.test(keyword)) return value.replaceAll('%h', alias);
    }
    return undefined;
  };
}

function matches(alias: string, patterns: readonly string[]): boolean {
  const fits = (pattern: string): boolean => {
    const source = pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return new RegExp(`^${source}$`, 'i').test(alias);
  };
  const isDenied = patterns.some((pattern) => pattern.startsWith('!') && fits(pattern.slice(1)));
  return !isDenied && patterns.some((pattern) => fits(pattern));
}
