import { dirname, join } from 'node:path';
import { type Mount, realPath } from './mount.ts';
import { packagesOf } from './program-mounts.ts';

/** Where containers show a CLI of the host. */
const place = '/run/muster-cli';
/** Folders of the system's own programs, of which an image has its own. */
const systemFolders = ['/bin', '/usr/bin', '/sbin', '/usr/sbin'];

/** A program of the host as a container has it. */
export interface CarriedProgram {
  /** What to run inside: a path, or a name on the PATH. */
  readonly program: string;
  readonly mounts: readonly Mount[];
}

/**
 * A program of the host for a container: the image's own of that name if the host's system brought it; else the host's
 * installation of it, in a place where it hides nothing of the image.
 */
export function carriedProgram(path: string): CarriedProgram {
  const real = realPath(path);
  if (real === undefined || systemFolders.includes(dirname(real)) || systemFolders.includes(dirname(path))) {
    return { program: path.slice(path.lastIndexOf('/') + 1), mounts: [] };
  }
  const packages = packagesOf(real);
  return {
    program: join(place, real.slice(packages.length)),
    mounts: [{ at: place, from: packages, access: 'read' }],
  };
}
