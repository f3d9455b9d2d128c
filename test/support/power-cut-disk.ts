import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A separate disk, made of a file, that shows what is on it after a power cut. Only root may have one. */
export interface PowerCutDisk {
  /** Where it is mounted. */
  readonly path: string;
  /** Writes all to the disk, as time would. */
  settle(): void;
  /**
   * Gives a folder with what a power cut at this moment would leave: what the system still holds in memory is lost, and
   * what the journal reports is fixed. The disk itself continues.
   */
  cut(): string;
  remove(): void;
}

const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8' });
const mount = (image: string, path: string): boolean => {
  mkdirSync(path);
  // Nothing is written back on its own: neither by the journal's own clock, nor because a file takes another's name.
  if (run('mount', '-o', 'loop,commit=3000,noauto_da_alloc', image, path).status === 0) return true;
  rmSync(path, { recursive: true });
  return false;
};

/** Makes a disk of this many MiB within a folder; undefined if this machine cannot. */
export function powerCutDisk(folder: string, mebibytes = 32): PowerCutDisk | undefined {
  const image = join(folder, 'disk.image');
  const path = join(folder, 'disk');
  const mounted: string[] = [];
  writeFileSync(image, '');
  truncateSync(image, mebibytes * 1024 * 1024);
  if (run('mkfs.ext4', '-q', '-m', '0', image).status !== 0 || !mount(image, path)) {
    rmSync(image);
    return undefined;
  }
  mounted.push(path);
  return {
    path,
    settle: () => void run('sync', '-f', path),
    cut() {
      const copy = join(folder, `cut-${mounted.length}`);
      copyFileSync(image, `${copy}.image`);
      run('e2fsck', '-fy', `${copy}.image`);
      if (!mount(`${copy}.image`, copy)) throw new Error(`${copy} cannot be mounted`);
      mounted.push(copy);
      return copy;
    },
    remove() {
      for (const at of mounted) {
        run('umount', '--lazy', at);
        rmSync(at, { recursive: true });
        rmSync(at === path ? image : `${at}.image`);
      }
    },
  };
}
