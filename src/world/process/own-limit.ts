import { readFileSync } from 'node:fs';

/** A limit of this process that the kernel holds, such as `open files`; undefined if there is none, or none is known. */
export function ownLimit(name: string): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const hard = new RegExp(`^Max ${name} +\\S+ +([0-9]+)`, 'm').exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return hard === undefined ? undefined : Number(hard);
}
