import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import type { Grants } from '#contract/host/isolation.ts';
import { type Mount, realPath, shownAt } from '#world/isolation/mount.ts';
import { isWithin } from '#world/within.ts';
import { showsEngine } from './engine-sockets.ts';

/**
 * What the workflow grants. `engines` are the sockets of container engines. What does not exist is left out.
 * @throws ISOLATION_UNSAFE when a grant shows the state folder, or the socket of a container engine
 */
export function granted(
  { readable = [], writable = [] }: Grants,
  {
    home,
    stateFolder,
    engines,
  }: { readonly home: string; readonly stateFolder: string; readonly engines: readonly string[] },
): Mount[] {
  const full = (path: string) => (path.startsWith('~/') ? join(home, path.slice(2)) : path).replace(/(?<=.)\/+$/, '');
  const mounts = [
    ...readable.flatMap((path) => shownAt(full(path), 'read')),
    ...writable.flatMap((path) => shownAt(full(path), 'write')),
  ];
  const secrets = realPath(stateFolder) ?? stateFolder;
  // Around the state folder, a grant is safe: an empty folder is shown in its place, unless a link gives it another name.
  const shows = ({ at, from = at }: Mount) =>
    isWithin(secrets, from) || (isWithin(from, secrets) && !isWithin(at, secrets));
  const bad = mounts.find(shows);
  const engine = mounts.find(({ from = '' }) => engines.some((socket) => isWithin(from, socket)));
  if (bad === undefined && engine !== undefined) throw showsEngine(engine.at);
  if (bad === undefined) return mounts;
  throw new Failure(
    'ISOLATION_UNSAFE',
    `cannot be isolated: the workflow grants ${bad.at}, which shows the state folder ${stateFolder}. Grant other folders`,
  );
}
