import { gitEnvironment } from '#world/git/repository/git-environment.ts';
import { splitPaths } from '#world/git/repository/git-paths.ts';
import { runGroup } from '#world/process/group/process-group.ts';

const walkMs = 60_000;

/** The paths that `find` prints, in Latin-1; the arguments end in `-print0`. Folders it may not read are left out. */
export async function findFiles(args: readonly string[], cwd: string): Promise<string[]> {
  const found: Buffer[] = [];
  const { PATH = '' } = gitEnvironment();
  await runGroup({
    file: 'find',
    args,
    cwd,
    env: { PATH, LC_ALL: 'C' },
    leavesNothing: true,
    timeoutMs: walkMs,
    onStdout: (chunk) => found.push(chunk),
    onStderr: () => {},
  });
  return splitPaths(Buffer.concat(found));
}

/** Full paths, as `findFiles` returns them, made relative to a folder. */
export function pathsBelow(folder: string, found: readonly string[]): string[] {
  const prefix = Buffer.from(`${folder}/`).toString('latin1');
  return found.map((path) => path.slice(prefix.length));
}
