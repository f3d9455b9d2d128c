import { Failure } from '#contract/failure.ts';

/** A file that contains a secret. */
interface SecretFile {
  readonly path: string;
  /** The mode that `stat` reports. */
  readonly mode: number;
}

/**
 * Refuses a file with a secret that anybody but its owner can read or change.
 * @throws FAILED_PRECONDITION naming the file, its mode and what to do
 */
export function requireClosed({ path, mode }: SecretFile): void {
  if ((mode & 0o077) === 0) return;
  throw new Failure(
    'SECRET_EXPOSED',
    `${path} contains a secret that other users may read (mode ${(mode & 0o777).toString(8)}): chmod 600 ${path}, ` +
      'and replace the secret if other people have accounts on this computer',
  );
}
