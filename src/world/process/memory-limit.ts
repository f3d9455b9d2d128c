import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Memory in bytes: how much of how much cannot be given to a program that asks for it. */
export interface MemoryUse {
  readonly usedBytes: number;
  readonly totalBytes: number;
}

/** A file that the kernel makes up, as a text; undefined if it is not there. */
export type ReadKernelText = (path: string) => string | undefined;

/** Reads at once: the kernel's own files are never slow. */
export const readKernelText: ReadKernelText = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/**
 * What Linux lets this process and all that it starts have of the machine's memory, as in a container or a service with
 * a limit: of its control group (version 2) and those above it, the one that has the least left. Undefined if none has
 * a limit.
 */
export function memoryLimit(read: ReadKernelText = readKernelText): MemoryUse | undefined {
  const group = /^0::(\/.*)$/m.exec(read('/proc/self/cgroup') ?? '')?.[1];
  if (group === undefined) return undefined;
  let min: MemoryUse | undefined;
  for (let folder = group; ; folder = dirname(folder)) {
    const use = useOf(join('/sys/fs/cgroup', folder), read);
    if (use !== undefined && (min === undefined || freeShare(use) < freeShare(min))) min = use;
    if (folder === dirname(folder)) return min;
  }
}

/** How much is left, in bytes. */
export function freeShare({ usedBytes, totalBytes }: MemoryUse): number {
  return totalBytes - usedBytes;
}

function useOf(folder: string, read: ReadKernelText): MemoryUse | undefined {
  const totalBytes = Number.parseInt(read(join(folder, 'memory.max')) ?? '', 10);
  const heldBytes = Number.parseInt(read(join(folder, 'memory.current')) ?? '', 10);
  if (!(totalBytes > 0 && heldBytes >= 0)) return undefined;
  // Pages of files that nothing has touched for a while are given up as soon as somebody needs the room.
  const spare = /^inactive_file (\d+)$/m.exec(read(join(folder, 'memory.stat')) ?? '')?.[1] ?? '0';
  return { usedBytes: Math.min(totalBytes, Math.max(0, heldBytes - Number(spare))), totalBytes };
}
