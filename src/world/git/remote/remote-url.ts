import { Failure } from '#contract/failure.ts';

/** Alternative ssh hosts of forges, for when port 22 is blocked, with the forge's own host. */
const canonicalHosts: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};

/**
 * The location of a remote: `host` in lower case, with the port of a web address if any, and `path` without leading and
 * trailing slashes.
 */
export interface Remote {
  readonly scheme: 'https' | 'http';
  readonly host: string;
  readonly path: string;
}

/**
 * Parses a git remote: scp-like, ssh, git, https or http. Drops user info, query, `.git` and the ports of ssh and git.
 * Undefined for remotes that cannot be on a forge: local paths, `file:`, helpers such as `ext::`, fewer than two path
 * segments. `hostOf` translates ssh aliases to hosts.
 */
export function parseRemote(url: string, hostOf: (alias: string) => string = (alias) => alias): Remote | undefined {
  if (isSuspect(url)) return undefined;
  const parts = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? fromUrl(url) : fromScp(url);
  if (parts === undefined) return undefined;
  const named = (parts.isSsh ? hostOf(parts.host) : parts.host).toLowerCase();
  const host = canonicalHosts[named] ?? named;
  const path = cleanPath(parts.path);
  if (path === undefined || !/^(\[[0-9a-f:]+\]|[a-z0-9]([a-z0-9_.-]*[a-z0-9])?)(:\d{1,5})?$/.test(host))
    return undefined;
  return isLiteralHost(host) ? { scheme: parts.scheme, host, path } : undefined;
}

/**
 * Like `parseRemote`, for a URL from a caller: only scp-like or https, without a credential. Messages do not repeat it,
 * because it may contain one.
 * @throws INVALID_ARGUMENT
 */
export function requireRemote(url: string): Remote {
  const fault = remoteFault(url);
  const remote = fault === undefined ? parseRemote(url) : undefined;
  if (remote !== undefined) return remote;
  throw new Failure(
    'INVALID_FIELD',
    `remoteUrl ${fault ?? 'names no repository on a forge'}: give it as git@host:owner/name or https://host/owner/name`,
    { field: 'remoteUrl' },
  );
}

function remoteFault(url: string): string | undefined {
  if (url.startsWith('-')) return 'begins with -, as an option does';
  if (isSuspect(url)) return 'has a space, a control character or a backslash, or is too long';
  if (/^[./~]/.test(url)) return 'is a local path';
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url) ?? [];
  if (scheme !== undefined && scheme.toLowerCase() !== 'https') return `begins with ${scheme.toLowerCase()}://`;
  if (scheme !== undefined && /^[^/]*\/\/[^/?#]*@/.test(url)) return 'has a name or a credential';
  if (scheme !== undefined && /[?#]/.test(url)) return 'has a query or a fragment';
  if (url.includes('::') && !url.includes('[')) return 'names a remote helper';
  if (scheme === undefined && !/^([A-Za-z0-9._-]+@)?(\[[^\]]*\]|[^@:[\]]+):[^@:]+$/.test(url))
    return 'has neither form';
  return undefined;
}

/** Whether a URL with this host is interpreted literally: browsers read a host of digits as an IP address. */
function isLiteralHost(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '');
  return host.startsWith('[') || URL.parse(`https://${name}`)?.hostname === name;
}

/** The remote's canonical web address, `https://host/path`. Plain http is kept only if there is a port. */
export function remoteWebUrl(remote: Remote): string {
  const scheme = remote.scheme === 'http' && remote.host.includes(':') ? 'http' : 'https';
  return `${scheme}://${remote.host}/${remote.path}`;
}

interface Parts {
  readonly scheme: 'https' | 'http';
  readonly isSsh: boolean;
  readonly host: string;
  readonly path: string;
}

function isSuspect(url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches forbidden characters
  return url.startsWith('-') || /[\u0000-\u0020\u007f\\]/.test(url) || url.length > 2_048;
}

function fromUrl(text: string): Parts | undefined {
  const url = URL.parse(text);
  const pathname = /^[a-z0-9+.-]+:\/\/[^/]+(\/[^?#]*)/i.exec(text)?.[1];
  if (url === null || url.hostname === '' || pathname === undefined) return undefined;
  switch (url.protocol) {
    case 'https:':
    case 'http:':
      return { scheme: url.protocol === 'http:' ? 'http' : 'https', isSsh: false, host: url.host, path: pathname };
    case 'ssh:':
    case 'git+ssh:':
    case 'ssh+git:':
      return { scheme: 'https', isSsh: true, host: url.hostname, path: pathname };
    case 'git:':
      return { scheme: 'https', isSsh: false, host: url.hostname, path: pathname };
    default:
      return undefined;
  }
}

/** Parses `[user@]host:path`. A slash before the colon means a local path, a second colon a remote helper. */
function fromScp(text: string): Parts | undefined {
  const match = /^(?:[^@/:]+@)?(\[[0-9a-fA-F:]+\]|[^@/:[\]]+):(?!:)(.+)$/.exec(text);
  const [, host, path] = match ?? [];
  if (host === undefined || path === undefined || host.startsWith('-')) return undefined;
  return { scheme: 'https', isSsh: true, host, path };
}

function cleanPath(path: string): string | undefined {
  const trimmed = path
    .replace(/[?#].*$/, '')
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.git$/, '')
    .replace(/\/+$/, '');
  const segments = trimmed.split('/');
  const isOdd = segments.some(
    (segment) => segment === '' || segment === '.' || segment === '..' || segment.startsWith('~'),
  );
  return segments.length < 2 || isOdd ? undefined : trimmed;
}
