import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { moment } from './moment.ts';

/** A small disk of its own, made of a file, that a test can break. Only root may have one. */
export interface FaultyDisk {
  /** Where it is mounted. */
  readonly path: string;
  /** Takes all room that is left; gives the way to give it back. */
  fill(): () => void;
  /**
   * Has the kernel mount it read-only at once, files that are open for writing included, as it does if a disk fails.
   */
  setReadOnly(): void;
  /** Breaks its device: what needs new blocks can be written to memory, but no longer to the device. Gives the way to repair it. */
  fail(): () => void;
  /** Mounts it again, as after a repair, once whoever has files there open has closed them. */
  repair(): Promise<void>;
  remove(): void;
}

const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8' });

/** Fills a file system by a file; gives the way to remove it. */
function filled(file: string): () => void {
  try {
    for (;;) writeFileSync(file, Buffer.alloc(4096), { flag: 'a' });
  } catch {
    return () => rmSync(file);
  }
}

/** Makes a disk of this many MiB within a folder; undefined if this machine cannot. */
export function faultyDisk(folder: string, mebibytes = 8): FaultyDisk | undefined {
  const device = join(folder, 'device');
  const image = join(device, 'disk.image');
  const path = join(folder, 'disk');
  for (const each of [path, device]) mkdirSync(each);
  if (run('mount', '-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'muster-faulty-disk', device).status !== 0)
    return undefined;
  writeFileSync(image, '');
  truncateSync(image, mebibytes * 1024 * 1024);
  const mount = () => run('mount', '-o', 'loop,errors=remount-ro', image, path).status === 0;
  // With the blocks of a large disk: in smaller ones SQLite's shared memory has holes, and what writes there ends the
  // process.
  if (run('mkfs.ext4', '-q', '-m', '0', '-b', '4096', '-O', '^has_journal', image).status !== 0 || !mount()) {
    run('umount', device);
    for (const each of [path, device]) rmSync(each, { recursive: true });
    return undefined;
  }
  return {
    path,
    fill: () => filled(join(path, 'filler')),
    setReadOnly() {
      const loop = basename(run('findmnt', '-no', 'SOURCE', path).stdout.trim());
      writeFileSync(`/sys/fs/ext4/${loop}/trigger_fs_error`, '1');
    },
    fail() {
      run('sync');
      return filled(join(device, 'filler'));
    },
    async repair() {
      await moment('its files to be closed', () => {
        const { status, stderr } = run('umount', path);
        if (status !== 0 && !/busy/.test(stderr)) throw new Error(stderr);
        return status === 0;
      });
      // A mount namespace that another test began meanwhile has it too, until it ends.
      await moment('the file system to be gone', () => run('losetup', '--associated', image).stdout === '');
      if (!mount()) throw new Error(`${image} could not be mounted again`);
    },
    remove() {
      run('umount', '--lazy', path);
      run('umount', '--lazy', device);
      for (const each of [path, device]) rmSync(each, { recursive: true });
    },
  };
}
