import { parseRemote } from '#world/git/remote/remote-url.ts';

/**
 * A remote that is safe to name on another host: on a forge, and without a password or token. Undefined for any other,
 * such as a local path, or a helper that git would run.
 */
export function plainRemote(url: string): string | undefined {
  const remote = parseRemote(url);
  if (remote === undefined) return undefined;
  const ssh = /^(?:ssh:\/\/)?(?:[A-Za-z0-9._-]+@)[^/:@]+[:/]/.test(url);
  return ssh ? url : `${remote.scheme}://${remote.host}/${remote.path}`;
}
