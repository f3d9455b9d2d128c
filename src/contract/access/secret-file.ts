import { Failure } from '#contract/failure.ts';

/** A file that holds a secret, as the file system has it. */
interface SecretFile {
  readonly path: string;
  /** As `stat` gives it. */
  readonly mode: number;
}

/**
 * Refuses a file with a secret that others than its owner can read or change.
 * @throws FAILED_PRECONDITION with the file, its mode and what to do
 */
export function requireClosed({ path, mode }: SecretFile): void {
  if ((mode & 0o077) === 0) return;
  throw new Failure(
    'SECRET_EXPOSED',
    `${path} holds a secret, and others than its owner may open it (mode ${(mode & 0o777).toString(8)}): chmod 600 ${path}, ` +
      'and put another secret in its place where others have accounts on this machine',
  );
}
