import { createWriteStream } from 'node:fs';
import { appendFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Failure } from '#contract/failure.ts';
import { cancelSignal } from '#world/concurrency/cancellation.ts';
import { requireDiskRoom } from './disk-room.ts';
import {
  digestOf,
  OpenPackage,
  type PackageDigest,
  type PackagePart,
  readPiece,
  writePackage,
} from './package-file.ts';

/** The folder of the packages that a host has made or received, by id. */
export class PackageFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Writes a package. Replaces an earlier one with this id. @throws RESOURCE_EXHAUSTED when it is larger than
   * `maxBytes`
   */
  async write(id: string, header: unknown, parts: readonly PackagePart[], maxBytes: number): Promise<PackageDigest> {
    return writePackage(await this.#path(id), header, parts, maxBytes);
  }

  /** A piece of a package; shorter at its end. */
  async read(id: string, offset: number, bytes: number): Promise<Buffer> {
    return readPiece(await this.#path(id), offset, bytes);
  }

  /**
   * Receives a package piece by piece, continues where an earlier call ended, and opens it.
   * @throws DISK_FULL before anything is fetched; FAILED_PRECONDITION when it differs from the announced digest, and is removed
   */
  async receive(
    id: string,
    { bytes, digest }: PackageDigest,
    pieceAt: (offset: number) => Promise<Buffer>,
  ): Promise<OpenPackage> {
    const path = await this.#path(id);
    const part = `${path}.part`;
    if ((await stat(path).catch(() => undefined)) === undefined) {
      let at = (await stat(part).catch(() => undefined))?.size ?? 0;
      await requireDiskRoom(this.#folder, bytes - at, 'its commits, files and conversation');
      while (at < bytes) {
        cancelSignal()?.throwIfAborted();
        const piece = await pieceAt(at);
        if (piece.length === 0 || at + piece.length > bytes) {
          await this.forget(id);
          throw refused(`it sent other than the ${bytes} bytes that it announced`);
        }
        await appendFile(part, piece, { mode: 0o600 });
        at += piece.length;
      }
      await rename(part, path);
    }
    const found = await digestOf(path);
    if (found.bytes === bytes && found.digest === digest) return OpenPackage.open(path);
    await this.forget(id);
    throw refused('its digest is not the one that it announced');
  }

  /** Calls `work` with the path of a file of its own, which is removed afterwards. */
  async withFile<T>(id: string, work: (file: string) => Promise<T>): Promise<T> {
    const file = `${await this.#path(id)}.bundle`;
    try {
      await rm(file, { force: true });
      return await work(file);
    } finally {
      await rm(file, { force: true });
    }
  }

  /** Removes all files of a package. */
  async forget(id: string): Promise<void> {
    const path = await this.#path(id);
    for (const one of [path, `${path}.part`, `${path}.bundle`]) await rm(one, { force: true });
  }

  async #path(id: string): Promise<string> {
    if (!/^[A-Za-z0-9_]{1,64}$/.test(id))
      throw new Failure('INVALID_VALUE', 'the id of a package must be letters and digits');
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return join(this.#folder, `${id}.package`);
  }
}

/** Writes the next part of a package into a file. */
export function savePart(packed: OpenPackage, bytes: number, file: string): Promise<void> {
  return pipeline(packed.part(bytes), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
}

function refused(why: string): Failure {
  return new Failure('PACKAGE_REFUSED', `what the other host sent cannot be used: ${why}`);
}
