import type { ForgeHttp } from './forge-http.ts';

/**
 * The owner and name of a repository.
 * @throws ForgeError `not_found` when the path does not have two segments, which this kind of forge does not allow
 */
export function twoSegments(http: ForgeHttp, path: string): [owner: string, name: string] {
  const [owner, name, ...more] = path.split('/');
  const isOdd = [owner, name].some((part) => !part || /^\.{1,2}$/.test(part));
  if (!owner || !name || isOdd || more.length > 0) throw http.notFound();
  return [owner, name];
}
