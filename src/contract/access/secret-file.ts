import { Failure } from '#contract/failure.ts';

/** A file that contains a secret, and who reads it. */
interface SecretFile {
  readonly path: string;
  /** The mode and the owner that `stat` reports. */
  readonly mode: number;
  readonly uid: number;
  /** The user of this process; undefined on a system without users. */
  readonly reader: number | undefined;
}

/**
 * Refuses a file with a secret that other users can read or change. Only root can give a process a file that the
 * process may not change, so a file of root may also be readable by its group, as secrets of Kubernetes are, unless
 * root itself reads it. PostgreSQL has the same rule for its key.
 * @throws FAILED_PRECONDITION naming the file, its mode and what to do
 */
export function requireClosed({ path, mode, uid, reader }: SecretFile): void {
  const others = uid === 0 && reader !== 0 ? 0o037 : 0o077;
  if ((mode & others) === 0) return;
  throw new Failure(
    'SECRET_EXPOSED',
    `${path} contains a secret that other users may read (mode ${(mode & 0o777).toString(8)}): chmod 600 ${path}, ` +
      'and replace the secret if other people have accounts on this computer',
  );
}
