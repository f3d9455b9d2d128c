import { lstat, readdir, readlink, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { PromiseFsClient } from 'isomorphic-git';
import { readRegularFile } from '#world/file/regular-file.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';

const maxBytes = 64 * 1024 * 1024;

/** The files that a linked worktree has for itself. Everything else is in the common directory. */
const own =
  /^(HEAD|[A-Z]+_HEAD|index|config\.worktree|rebase-[a-z]+|sequencer|logs\/HEAD|refs\/(bisect|worktree|rewritten))(\/|$)/;

/**
 * A read-only file system for isomorphic-git, which does not support linked worktrees: shared files are read from the
 * common directory. Writes fail with EROFS, and only regular files are read. With `only`, packed-refs appears to
 * contain only that reference, because isomorphic-git parses the whole file each time, and it may have a hundred
 * thousand.
 */
export function commondirFs(at: GitDirectory, only?: string): PromiseFsClient {
  const real = (path: string): string => {
    const inside = relative(at.gitDir, path);
    if (inside === '' || inside.startsWith(`..${sep}`) || own.test(inside)) return path;
    return join(at.commonDir, inside);
  };
  const readFile = async (path: string, options?: { encoding?: BufferEncoding } | BufferEncoding) => {
    const file = await readRegularFile(real(path), { maxBytes, followLinks: true });
    if (file === undefined) throw fileError('ENOENT', path);
    const isPacked = only !== undefined && path.endsWith('/packed-refs');
    const content = isPacked ? lineOf(file.content, only) : file.content;
    const encoding = typeof options === 'string' ? options : options?.encoding;
    return encoding === undefined ? content : content.toString(encoding);
  };
  const refuse = async (path: string): Promise<never> => {
    throw fileError('EROFS', path);
  };
  return {
    promises: {
      readFile,
      readdir: (path: string) => readdir(real(path)),
      stat: (path: string) => stat(real(path)),
      lstat: (path: string) => lstat(real(path)),
      readlink: (path: string) => readlink(real(path)),
      writeFile: refuse,
      unlink: refuse,
      mkdir: refuse,
      rmdir: refuse,
      symlink: refuse,
      chmod: refuse,
    },
  };
}

function fileError(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

/** The line of a packed reference; empty if there is none. */
function lineOf(packedRefs: Buffer, ref: string): Buffer {
  const end = packedRefs.indexOf(` ${ref}\n`);
  return end < 0 ? Buffer.alloc(0) : packedRefs.subarray(packedRefs.lastIndexOf('\n', end) + 1, end + ref.length + 2);
}
