import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Moves files and folders of one folder to the same paths in another one on the same disk. */
export async function moveAside(from: string, to: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const plain = path.replace(/\/$/, '');
    await mkdir(dirname(join(to, plain)), { recursive: true, mode: 0o700 });
    await rename(join(from, plain), join(to, plain));
  }
}
