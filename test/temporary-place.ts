import { accessSync, constants, readFileSync, realpathSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** How much of a file system in memory must be free, in bytes: a run writes a fraction of that. */
const minFree = 4 * 1024 ** 3;

/**
 * Where the files of a run go: where TMPDIR says; else into memory where Linux offers that and has enough of it, since
 * the tests make and remove so many files that a disk's file system takes a third of their processor time; else into
 * the usual folder.
 */
export function temporaryPlace(chosen: string | undefined, inMemory = '/dev/shm'): string {
  const place = chosen ?? (hasRoom(inMemory) ? inMemory : tmpdir());
  return realpathSync(place);
}

function hasRoom(inMemory: string): boolean {
  if (process.platform !== 'linux' || process.availableMemory() < 2 * minFree) return false;
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= minFree && runsPrograms(inMemory);
  } catch {
    return false;
  }
}

/**
 * Whether a folder is a file system in memory from which programs may be run, as tests do: a container may forbid it.
 */
function runsPrograms(folder: string): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const [, , kind, options = ''] = mounts.find((line) => line.split(' ')[1] === folder)?.split(' ') ?? [];
  return kind === 'tmpfs' && !options.split(',').includes('noexec');
}
