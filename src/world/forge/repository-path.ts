import type { ForgeHttp } from './forge-http.ts';

/**
 * Owner and name of a repository.
 * @throws ForgeError NOT_FOUND when the path is not a pair: no such repository can be on this kind of forge.
 */
export function twoSegments(http: ForgeHttp, path: string): [owner: string, name: string] {
  const [owner, name, ...more] = path.split('/');
  const isOdd = [owner, name].some((part) => !part || /^\.{1,2}$/.test(part));
  if (!owner || !name || isOdd || more.length > 0) throw http.notFound();
  return [owner, name];
}
