import { basename, dirname, join } from 'node:path';
import { interpretersOf, virtualEnvironmentOf } from './interpreter.ts';
import { type Mount, realPath, shownAt } from './mount.ts';
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
 * installation of it, in a place where it hides nothing of the image. A virtual environment of Python runs only where
 * it was made.
 */
export function carriedProgram(path: string): CarriedProgram {
  const real = realPath(path);
  if (real === undefined || systemFolders.includes(dirname(real)) || systemFolders.includes(dirname(path))) {
    return { program: path.slice(path.lastIndexOf('/') + 1), mounts: [] };
  }
  const environment = virtualEnvironmentOf(real);
  if (environment !== undefined) return { program: real, mounts: pythonMounts(environment, real) };
  const packages = packagesOf(real);
  const at = packages === real ? join(place, basename(real)) : place;
  return { program: join(at, real.slice(packages.length)), mounts: [{ at, from: packages, access: 'read' }] };
}

/** A virtual environment, and the Python that it was made with unless the image has that. */
function pythonMounts(environment: string, program: string): Mount[] {
  const folders = interpretersOf(program, '')
    .map((file) => dirname(file))
    .filter((folder) => !systemFolders.includes(folder));
  return [...new Set([environment, ...folders.map((folder) => dirname(folder))])].flatMap((folder) =>
    shownAt(folder, 'read'),
  );
}
