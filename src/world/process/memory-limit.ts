import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Memory in bytes: the total, and the part of it that is not available to programs. */
export interface MemoryUse {
  readonly usedBytes: number;
  readonly totalBytes: number;
}

/** Reads one of the kernel's virtual files as text; undefined if it does not exist. */
export type ReadKernelText = (path: string) => string | undefined;

/** Reads synchronously: the kernel's virtual files are never slow. */
export const readKernelText: ReadKernelText = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/**
 * The memory limit that Linux sets for this process and everything it starts, as in a container or a service: of its
 * control group (version 2) and those above it, the one with the least memory left. Undefined if none has a limit.
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
  // Cached pages of files that were not used for a while are freed as soon as memory is needed.
  const spare = /^inactive_file (\d+)$/m.exec(read(join(folder, 'memory.stat')) ?? '')?.[1] ?? '0';
  return { usedBytes: Math.min(totalBytes, Math.max(0, heldBytes - Number(spare))), totalBytes };
}
