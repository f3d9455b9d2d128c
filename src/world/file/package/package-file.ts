import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Failure } from '#contract/failure.ts';
import { syncFolder } from '#world/file/synced-folder.ts';

/** The beginning of a package: a mark, and the length of the header that follows. */
const mark = Buffer.from('MUSTER1\n');
const maxHeaderBytes = 8 * 1024 ** 2;

/** A part of a package: a file, or the first bytes of it. */
export interface PackagePart {
  readonly file: string;
  readonly bytes: number;
}

/** The size and the SHA-256 of a package. */
export interface PackageDigest {
  readonly bytes: number;
  readonly digest: string;
}

/**
 * Writes a package: a header as JSON, followed by the parts. It gets its name once it is complete and survives a power
 * failure.
 * @throws RESOURCE_EXHAUSTED when it is larger than `maxBytes`
 */
export async function writePackage(
  path: string,
  header: unknown,
  parts: readonly PackagePart[],
  maxBytes: number,
): Promise<PackageDigest> {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, mark.length + length.length + text.length);
  if (bytes > maxBytes || text.length > maxHeaderBytes) throw tooLarge(bytes, maxBytes);
  const draft = `${path}.${randomUUID().slice(0, 8)}.tmp`;
  const hash = createHash('sha256');
  async function* content(): AsyncGenerator<Buffer> {
    yield* [mark, length, text];
    for (const part of parts) {
      let left = part.bytes;
      if (left === 0) continue;
      for await (const chunk of createReadStream(part.file, { end: part.bytes - 1 })) {
        left -= (chunk as Buffer).length;
        yield chunk as Buffer;
      }
      if (left !== 0)
        throw new Failure('FILE_NOT_USABLE', `${part.file} has become shorter while it was read: try again`);
    }
  }
  try {
    const counted = async function* (): AsyncGenerator<Buffer> {
      for await (const chunk of content()) {
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(counted, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
    await rename(draft, path);
    syncFolder(path.slice(0, path.lastIndexOf('/')));
  } finally {
    await rm(draft, { force: true });
  }
  return { bytes, digest: hash.digest('hex') };
}

/** The digest of a file. */
export async function digestOf(path: string): Promise<PackageDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, digest: hash.digest('hex') };
}

/** An open package. */
export class OpenPackage implements AsyncDisposable {
  readonly #file: FileHandle;
  /** The header, as JSON.parse returns it: it comes from another host. */
  readonly header: unknown;
  #at: number;

  private constructor(file: FileHandle, header: unknown, at: number) {
    this.#file = file;
    this.header = header;
    this.#at = at;
  }

  /** @throws FAILED_PRECONDITION when it is not a package */
  static async open(path: string): Promise<OpenPackage> {
    const file = await open(path, 'r');
    try {
      const start = await exactly(file, 0, mark.length + 4);
      const length = start.readUInt32BE(mark.length);
      if (!start.subarray(0, mark.length).equals(mark) || length > maxHeaderBytes)
        throw damaged('it does not begin as one');
      const text = (await exactly(file, start.length, length)).toString('utf8');
      return new OpenPackage(file, JSON.parse(text) as unknown, start.length + length);
    } catch (error) {
      await file.close();
      throw error instanceof SyntaxError ? damaged('its header is not JSON') : error;
    }
  }

  /** The next part, of this many bytes. Parts are read in their order, each to its end. */
  async *part(bytes: number): AsyncGenerator<Buffer> {
    const end = this.#at + bytes;
    while (this.#at < end) {
      const chunk = await exactly(this.#file, this.#at, Math.min(256 * 1024, end - this.#at));
      this.#at += chunk.length;
      yield chunk;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}

/** A piece of a file; shorter at its end. */
export async function readPiece(path: string, offset: number, bytes: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function exactly(file: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(buffer, 0, bytes, offset);
  if (bytesRead < bytes) throw damaged('it is too short');
  return buffer;
}

function damaged(why: string): Failure {
  return new Failure('PACKAGE_REFUSED', `what the other host sent is not a package: ${why}`);
}

function tooLarge(bytes: number, maxBytes: number): Failure {
  const [size, limit] = [bytes, maxBytes].map((count) => `${(count / 1024 ** 2).toFixed(0)} MiB`);
  return new Failure('PACKAGE_TOO_LARGE', `its work and conversation have ${size}, and at most ${limit} are carried`);
}
