import { dirname } from 'node:path';

/**
 * The environment of a program that is to find nothing of the person’s: where programs are, and where Node and muster
 * keep what they have compiled. Without that each process of the tests takes twice as long, and muster writes to its
 * home, which is often a folder that a test does not want to be there.
 */
export function bareEnvironment(): Readonly<Record<string, string>> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  if (NODE_COMPILE_CACHE === undefined) return { PATH };
  return { PATH, NODE_COMPILE_CACHE, XDG_CACHE_HOME: dirname(NODE_COMPILE_CACHE) };
}
