import type { ChildProcess } from 'node:child_process';

/** The pipes to a child process, by their descriptors. There are none if no more files may be opened. */
export function pipesOf(child: ChildProcess): readonly ChildProcess['stdio'][number][] {
  const { stdio }: { readonly stdio?: readonly ChildProcess['stdio'][number][] } = child;
  return stdio ?? [];
}
