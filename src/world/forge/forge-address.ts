import { isLoopback } from '#contract/access/loopback.ts';
import { Failure } from '#contract/failure.ts';
import type { ForgeKind } from '#contract/forge/forge.ts';
import { quoted } from '#contract/quoted.ts';

/** The API path that people may append to a forge's address, and that muster adds itself. */
const interfacePaths: Readonly<Record<ForgeKind, RegExp>> = {
  github: /\/(api\/v3|api\/graphql|api|graphql)$/,
  gitlab: /\/(api\/v4|api\/graphql|api)$/,
  gitea: /\/(api\/v1|api)$/,
  bitbucket: /\/2\.0$/,
};

/** The API roots of the public forges. */
const publicRoots: Readonly<Record<string, string>> = {
  'github.com': 'https://api.github.com',
  'bitbucket.org': 'https://api.bitbucket.org',
};

/**
 * The root of a forge's API, without a trailing slash: the given one, or the one derived from the web host. It must be
 * https, or http on this computer.
 * @throws INVALID_ARGUMENT
 */
export function forgeRoot(kind: ForgeKind, host: string, given: string): string {
  if (given === '') return publicRoots[host] ?? (host.endsWith('.ghe.com') ? `https://api.${host}` : `https://${host}`);
  const url = URL.parse(given);
  const refuse = (why: string): Failure =>
    new Failure('INVALID_FIELD', `baseAddress ${why}: give an address such as https://git.example.org`, {
      field: 'baseAddress',
    });
  if (url === null || !/^https?:\/\//.test(given)) throw refuse('is not an http or https address');
  if (url.username !== '' || url.password !== '')
    throw refuse('has a name or a password, which belongs in the credential');
  if (url.search !== '' || url.hash !== '') throw refuse(`${quoted(given)} has a query or a fragment`);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw refuse(`${quoted(given)} is plain http to another computer, which would expose the credential`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(interfacePaths[kind], '')}`;
}

/**
 * The web host of remotes, in lower case, with its port if it has one.
 * @throws INVALID_ARGUMENT
 */
export function forgeHost(given: string): string {
  const host = given.toLowerCase();
  const url = URL.parse(`https://${host}`);
  if (url !== null && url.host === host && url.href === `https://${host}/`) return host;
  throw new Failure(
    'INVALID_FIELD',
    `host ${quoted(given)} is not the host of a git remote: give a name such as github.com or git.example.org:8443`,
    { field: 'host' },
  );
}

/** The API paths of GitHub: github.com and GitHub Enterprise Cloud have a separate `api.` host. */
export function githubPaths(root: string): { graphql: string; rest: string } {
  const isApiHost = new URL(root).hostname.startsWith('api.');
  return isApiHost ? { graphql: '/graphql', rest: '' } : { graphql: '/api/graphql', rest: '/api/v3' };
}
